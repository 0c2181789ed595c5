//===- CacheConfig.c - what programs ask of kernels with more shared memory
//===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of the programs that RegDem compiles, as Dispatcher.c. A program may
// have its GPU prefer L1 to shared memory. An SM of sm_90 then has 8 KB of
// shared memory, or what one block takes: a kernel to which RegDem has given
// shared memory would run with one block on an SM instead of ten. So such a
// kernel says itself how much its blocks take. Functions are asked first, and
// the device's preference is for the others, as it was. A program may also ask
// for all dynamic shared memory that a block can have, beside which there is
// room for no more: such a kernel gets what is left, which its launches fit
// into.
//
//===----------------------------------------------------------------------===//

#include "CudaAttributes.h"

#include <stddef.h>
#include <stdint.h>

// Of the CUDA runtime.
int cudaDeviceSetCacheConfig(int Config);
int cudaFuncSetCacheConfig(const void *Stub, int Config);
int cudaFuncSetAttribute(const void *Stub, int Attribute, int Value);
int cudaGetDevice(int *Device);
int cudaDeviceGetAttribute(int *Value, int Attribute, int Device);
int cudaGetLastError(void);
int cudaPeekAtLastError(void);

enum { PreferL1 = 2, PreferEqual = 3 }; // cudaFuncCache
enum { CarveoutOfDevice = -1 };

/// A kernel to which RegDem has given shared memory.
typedef struct {
  const void *Stub;
  int Percent;      ///< Of an SM's shared memory that its blocks take.
  int StaticShared; ///< Bytes of a block.
  int IsAsked;      ///< The program says what it is to prefer.
} RegDemRoom;

// Of the module that this is linked into (SharedRoom.cpp).
extern RegDemRoom __regdem_rooms[];
extern const uint32_t __regdem_num_rooms;

static RegDemRoom *roomOf(const void *Stub) {
  for (uint32_t I = 0; I != __regdem_num_rooms; ++I)
    if (__regdem_rooms[I].Stub == Stub)
      return &__regdem_rooms[I];
  return NULL;
}

/// Has Room's kernel prefer what Config says, but with room for its blocks. An
/// error is nobody's: the kernel may have no code for this device.
static void prefer(const RegDemRoom *Room, int Config) {
  enum { Half = 50 };
  int Percent = Room->Percent;
  if (Config == PreferEqual && Percent < Half)
    Percent = Half;
  else if (Config != PreferL1 && Config != PreferEqual)
    Percent = CarveoutOfDevice;
  if (cudaFuncSetAttribute(Room->Stub, Carveout, Percent))
    cudaGetLastError();
}

int __regdem_device_cache_config(int Config) {
  int Error = cudaDeviceSetCacheConfig(Config);
  if (Error || cudaPeekAtLastError())
    return Error;
  for (uint32_t I = 0; I != __regdem_num_rooms; ++I)
    if (!__atomic_load_n(&__regdem_rooms[I].IsAsked, __ATOMIC_RELAXED))
      prefer(&__regdem_rooms[I], Config);
  return Error;
}

int __regdem_function_cache_config(const void *Stub, int Config) {
  int Error = cudaFuncSetCacheConfig(Stub, Config);
  RegDemRoom *Room = roomOf(Stub);
  if (Error || !Room || cudaPeekAtLastError())
    return Error;
  __atomic_store_n(&Room->IsAsked, 1, __ATOMIC_RELAXED);
  if (Config == PreferL1 || Config == PreferEqual)
    prefer(Room, Config);
  return Error;
}

/// Bytes of dynamic shared memory that Room's kernel can have where the program
/// asks for Value.
static int leftFor(const RegDemRoom *Room, int Value) {
  int Device, Most;
  if (cudaPeekAtLastError())
    return Value;
  if (cudaGetDevice(&Device) ||
      cudaDeviceGetAttribute(&Most, MostSharedOfBlock, Device)) {
    cudaGetLastError(); // The attribute's error is the program's.
    return Value;
  }
  int Left = Most - Room->StaticShared;
  return Left < Value && Value <= Most ? Left : Value;
}

int __regdem_function_attribute(const void *Stub, int Attribute, int Value) {
  RegDemRoom *Room = roomOf(Stub);
  if (Room && Attribute == MaxDynamicShared)
    Value = leftFor(Room, Value);
  if (Room && Attribute == Carveout) {
    __atomic_store_n(&Room->IsAsked, 1, __ATOMIC_RELAXED);
    if (Value >= 0 && Value < Room->Percent)
      Value = Room->Percent;
  }
  return cudaFuncSetAttribute(Stub, Attribute, Value);
}
