// No folder of this name is tested.
