// Of no stage.
