//===- kernel.cu - thermochemistry by Pyrometheus -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "real/Item.h"
REAL_LIBRARY_BEGIN
#include REAL_MECHANISM_FILE
REAL_LIBRARY_END

REAL_LIBRARY_BEGIN
namespace {
using Mechanism = pyro::REAL_MECHANISM<>;
constexpr int Species = Mechanism::num_species;

/// Mass fractions that sum up to 1, all of them present.
Mechanism::SpeciesT loadFractions(Inputs In) {
  Mechanism::SpeciesT Y;
  double Sum = 0;
#pragma unroll
  for (int S = 0; S < Species; ++S)
    Sum += Y[S] = In[S + 1] + 0.01;
#pragma unroll
  for (int S = 0; S < Species; ++S)
    Y[S] /= Sum;
  return Y;
}

void store(Outputs Out, const Mechanism::SpeciesT &Values) {
#pragma unroll
  for (int S = 0; S < Species; ++S)
    Out[S] = Values[S];
}

/// In[0] is a temperature, scaled to 0 to 1.
double temperature(Inputs In) { return 1200 + 1200 * In[0]; }

void rates(Inputs In, Outputs Out) {
  Mechanism::SpeciesT Y = loadFractions(In);
  double T = temperature(In);
  store(Out, Mechanism::get_net_production_rates(
                 Mechanism::get_density(1e5, T, Y), T, Y));
}

/// The temperature that gives an energy, by Newton's method.
void invert(Inputs In, Outputs Out) {
  Mechanism::SpeciesT Y = loadFractions(In);
  double T = temperature(In);
  double Energy = Mechanism::get_mixture_internal_energy_mass(T, Y);
  double Found = Mechanism::get_temperature(Energy, 1500.0, Y);
  Out[0] = Found;
  Out[1] = Mechanism::get_mixture_specific_heat_cp_mass(Found, Y);
}

void transport(Inputs In, Outputs Out) {
  Mechanism::SpeciesT Y = loadFractions(In);
  double T = temperature(In);
  Out[0] = Mechanism::get_mixture_viscosity_mixavg(T, Y);
  Out[1] = Mechanism::get_mixture_thermal_conductivity_mixavg(T, Y);
}

void diffusion(Inputs In, Outputs Out) {
  store(Out, Mechanism::get_species_mass_diffusivities_mixavg(
                 1e5, temperature(In), loadFractions(In)));
}
} // namespace
REAL_LIBRARY_END

REAL_ITEM(In, Out) { REAL_WORK(In, Out); }
