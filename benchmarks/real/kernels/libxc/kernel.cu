//===- kernel.cu - density functionals by Libxc ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A generalised gradient approximation of a spin-polarised density: energy and
// its derivatives, up to the order REAL_ORDER, at a point of a grid a thread.
//
//===----------------------------------------------------------------------===//

#include "real/Item.h"
REAL_LIBRARY_BEGIN
#include REAL_FUNCTIONAL

// Functionals that mix others call these; they are not among these kernels.
void xc_mix_init(xc_func_type *, int, const int *, const double *) {}
void xc_hyb_init_hybrid(xc_func_type *, double) {}

namespace {
/// The functional's own parameters, which Libxc keeps in an array.
REAL_PARAMETERS parameters() {
  const double Values[] = {REAL_VALUES};
  REAL_PARAMETERS Result;
  memcpy(&Result, Values, sizeof(Result));
  return Result;
}
} // namespace
REAL_LIBRARY_END

REAL_ITEM(In, Out) {
  REAL_PARAMETERS Parameters = parameters();
  xc_func_info_type Info{};
  const_cast<int &>(Info.flags) = XC_FLAGS_HAVE_ALL;
  xc_func_type P{};
  P.info = &Info;
  P.params = &Parameters;
  P.dens_threshold = 1e-12;
  P.zeta_threshold = 1e-12;
  P.sigma_threshold = 1e-12;
  double Density[2] = {0.1 + In[0], 0.1 + In[1]};
  double Gradient[3] = {0.05 + In[2], 0.02 * In[3], 0.05 + In[4]};
  double Energy = 0, Potential[2] = {}, Slope[3] = {};
  double Rho2[3] = {}, RhoSigma[6] = {}, Sigma2[6] = {};
  func_pol(&P, REAL_ORDER, Density, Gradient, &Energy, Potential, Slope, Rho2,
           RhoSigma, Sigma2, nullptr, nullptr, nullptr, nullptr, nullptr,
           nullptr, nullptr, nullptr, nullptr);
  Out[0] = Energy;
  for (int K = 0; K < 2; ++K)
    Out[1 + K] = Potential[K];
  for (int K = 0; K < 3; ++K)
    Out[3 + K] = Slope[K];
  if (REAL_ORDER > 1) {
    for (int K = 0; K < 3; ++K)
      Out[6 + K] = Rho2[K];
    for (int K = 0; K < 6; ++K)
      Out[9 + K] = RhoSigma[K];
    for (int K = 0; K < 6; ++K)
      Out[15 + K] = Sigma2[K];
  }
}
