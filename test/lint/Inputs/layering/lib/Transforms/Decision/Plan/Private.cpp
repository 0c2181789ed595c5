#include "../../Analysis/Hidden.h"
#include "Hidden.h"
