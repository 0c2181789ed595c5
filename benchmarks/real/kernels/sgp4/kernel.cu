//===- kernel.cu - satellites by SGP4 -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "real/Item.h"
REAL_LIBRARY_BEGIN
#if REAL_GPU // What the library takes of the C library, for the GPU.
static char *copyText(char *To, const char *From) {
  for (int I = 0; (To[I] = From[I]); ++I)
    ;
  return To;
}
#define strcpy copyText
#define fprintf(...) (void)0
#define sscanf(...) (void)0
#define scanf(...) (void)0
#define fflush(...) (void)0
#endif
#include "extension/SGP4.cpp"

namespace {
/// Position and velocity of a satellite, from the elements of its orbit.
void propagate(Inputs In, Outputs Out) {
  elsetrec Satellite{};
  char Number[6] = "00001";
  SGP4Funcs::sgp4init(wgs72, 'i', Number, 20000.0 + 1000 * In[0], 1e-5 * In[1],
                      0, 0, 0.001 + 0.1 * In[2], 6.2 * In[3], 0.1 + 2.5 * In[4],
                      6.2 * In[5],
                      2 * 3.14159265358979 / (REAL_MINUTES + 20 * In[6]),
                      6.2 * In[7], Satellite);
  double Position[3] = {}, Velocity[3] = {};
  SGP4Funcs::sgp4(Satellite, 1440 * In[8], Position, Velocity);
  for (int K = 0; K < 3; ++K) {
    Out[K] = Position[K];
    Out[3 + K] = 1000 * Velocity[K];
  }
}
} // namespace
REAL_LIBRARY_END

REAL_ITEM(In, Out) { propagate(In, Out); }
