auto R = MachineOptimizationRemarkMissed(Name, Key, Where, Entry);
