// Three kernels in one file.
#include "common/Kernel.h"

namespace bins {
#include "kernels/bins16/kernel.cu"
}
namespace fem {
#include "kernels/hexfem/kernel.cu"
}
namespace tree {
#include "kernels/nn/kernel.cu"
}
