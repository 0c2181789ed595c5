// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
unsigned mix(unsigned *Data, int Rounds) {
  unsigned Sum = 0;
  for (int R = 0; R < Rounds; ++R)
    for (int I = 0; I < 32; ++I)
      Sum = Sum * 5 + (Data[I] ^ (Data[(I + 7) % 32] >> 3));
  return Sum;
}
