/* Go programs take their random numbers from ProcessPrng of
   bcryptprimitives.dll, which Wine has only since 8.13. */
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *buffer, SIZE_T length) { return SystemFunction036(buffer, (ULONG)length); }
