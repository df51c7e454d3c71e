//go:build gc && !purego

#include "funcdata.h"
#include "textflag.h"

// The thread-local (TLS) word is the goroutine's record g, as in the runtime's own assembly. RDTSC leaves the counter
// in DX:AX (Intel SDM vol. 2B, "RDTSC"). CX is g, BX and R8 are the home slot, DX is the goroutine's id.

#define PLACE(offset) \
	MOVQ (TLS), CX \
	MOVQ offset(SB), AX \
	MOVQ (CX)(AX*1), DX \
	IMUL3L $0x9E3779B1, CX, BX \
	SHRL $19, BX \
	SHLL $6, BX \
	LEAQ ·slots(SB), R8 \
	ADDQ BX, R8

#define HOME(offset) \
	PLACE(offset) \
	CMPQ DX, 0(R8)

#define COUNTER \
	RDTSC \
	SHLQ $32, DX \
	ORQ DX, AX

// func Enter() (slot *Slot, t Ticks)
TEXT ·Enter(SB), NOSPLIT, $0-16
	HOME(·counterOffset)
	JNE other
	COUNTER
	MOVQ AX, 40(R8)
	MOVQ R8, slot+0(FP)
	MOVQ AX, t+8(FP)
	RET
other:
	JMP ·enterClock(SB)

// func EnterCaller() (slot *Slot, t Ticks, pc uintptr)
// BP is the caller's frame, and above it lies the caller's return address.
TEXT ·EnterCaller(SB), NOSPLIT, $0-24
	MOVQ 8(BP), R9
	MOVQ R9, pc+16(FP)
	HOME(·counterOffset)
	JNE other
	COUNTER
	MOVQ AX, 40(R8)
	MOVQ R8, slot+0(FP)
	MOVQ AX, t+8(FP)
	RET
other:
	JMP ·enterCallerClock(SB)

// func Find() *Slot
TEXT ·Find(SB), NOSPLIT, $0-8
	HOME(·goidOffset)
	JNE strange
	MOVQ R8, ret+0(FP)
	RET
strange:
	MOVQ $0, ret+0(FP)
	RET

// func FindIdentity() (slot *Slot, key, id uint64)
TEXT ·FindIdentity(SB), NOSPLIT, $0-24
	HOME(·goidOffset)
	MOVQ CX, key+8(FP)
	MOVQ DX, id+16(FP)
	JNE strange
	MOVQ R8, slot+0(FP)
	RET
strange:
	MOVQ $0, slot+0(FP)
	RET

// func FindTime() (slot *Slot, t Ticks)
// One comparison with the id's low bits decides whether the time is read. The code begins a cache line: otherwise a counted entry takes up to a nanosecond longer.
TEXT ·FindTime(SB), NOSPLIT, $0-16
	PCALIGN $64
	PLACE(·goidOffset)
	CMPW DX, 56(R8)
	JNE untimed
	MOVQ ·counterOffset(SB), AX
	MOVQ (CX)(AX*1), DX
	CMPQ DX, 0(R8)
	JNE other
	COUNTER
	MOVQ AX, 40(R8)
	MOVQ R8, slot+0(FP)
	MOVQ AX, t+8(FP)
	RET
untimed:
	CMPQ DX, 0(R8)
	JNE strange
	MOVQ R8, slot+0(FP)
	MOVQ $0, t+8(FP)
	RET
strange:
	MOVQ $0, slot+0(FP)
	MOVQ $0, t+8(FP)
	RET
other:
	JMP ·enterClock(SB)

// func FindCaller() (slot *Slot, t Ticks, pc uintptr)
TEXT ·FindCaller(SB), NOSPLIT, $0-24
	PCALIGN $64
	MOVQ 8(BP), R9
	MOVQ R9, pc+16(FP)
	PLACE(·goidOffset)
	CMPW DX, 56(R8)
	JNE untimed
	MOVQ ·counterOffset(SB), AX
	MOVQ (CX)(AX*1), DX
	CMPQ DX, 0(R8)
	JNE other
	COUNTER
	MOVQ AX, 40(R8)
	MOVQ R8, slot+0(FP)
	MOVQ AX, t+8(FP)
	RET
untimed:
	CMPQ DX, 0(R8)
	JNE strange
	MOVQ R8, slot+0(FP)
	MOVQ $0, t+8(FP)
	RET
strange:
	MOVQ $0, slot+0(FP)
	MOVQ $0, t+8(FP)
	RET
other:
	JMP ·enterCallerClock(SB)

// func Leave(slot *Slot) Ticks
TEXT ·Leave(SB), NOSPLIT, $0-16
	MOVQ slot+0(FP), R8
	MOVQ (TLS), CX
	MOVQ ·counterOffset(SB), AX
	MOVQ (CX)(AX*1), DX
	CMPQ DX, 0(R8)
	JNE other
	COUNTER
	MOVQ AX, 40(R8)
	MOVQ AX, ret+8(FP)
	RET
other:
	JMP ·leaveClock(SB)

// The functions below are the rest of those above: for a clock that is not the counter, which counterOffset says, and
// for a goroutine without a home slot. CX and R8 are still as above; no stack check comes between. The clock is read
// last, as there. Slots in the frame are home slots, which are no memory of the heap.

#define OWNS \
	MOVQ ·goidOffset(SB), AX \
	MOVQ (CX)(AX*1), DX \
	CMPQ DX, 0(R8)

// func enterClock() (slot *Slot, t Ticks)
TEXT ·enterClock(SB), NOSPLIT, $16-16
	NO_LOCAL_POINTERS
	MOVQ $0, slot+0(FP)
	MOVQ $0, t+8(FP)
	GO_RESULTS_INITIALIZED
	OWNS
	JNE strange
	MOVQ R8, home-8(SP)
	CALL ·readClock(SB)
	MOVQ home-8(SP), R8
	MOVQ 0(SP), AX
	MOVQ AX, 40(R8)
	MOVQ R8, slot+0(FP)
	MOVQ AX, t+8(FP)
strange:
	RET

// func enterCallerClock() (slot *Slot, t Ticks, pc uintptr)
// The pc is there already.
TEXT ·enterCallerClock(SB), NOSPLIT, $16-24
	NO_LOCAL_POINTERS
	MOVQ $0, slot+0(FP)
	MOVQ $0, t+8(FP)
	GO_RESULTS_INITIALIZED
	OWNS
	JNE strange
	MOVQ R8, home-8(SP)
	CALL ·readClock(SB)
	MOVQ home-8(SP), R8
	MOVQ 0(SP), AX
	MOVQ AX, 40(R8)
	MOVQ R8, slot+0(FP)
	MOVQ AX, t+8(FP)
strange:
	RET

// func leaveClock(slot *Slot) Ticks
TEXT ·leaveClock(SB), NOSPLIT, $8-16
	NO_LOCAL_POINTERS
	OWNS
	JNE strange
	CALL ·readClock(SB)
	MOVQ slot+0(FP), R8
	MOVQ 0(SP), AX
	MOVQ AX, 40(R8)
	MOVQ AX, ret+8(FP)
	RET
strange:
	MOVQ $0, ret+8(FP)
	RET

// func ticks() Ticks
TEXT ·ticks(SB), NOSPLIT, $0-8
	COUNTER
	MOVQ AX, ret+0(FP)
	RET

// func record() uintptr
TEXT ·record(SB), NOSPLIT, $0-8
	MOVQ (TLS), CX
	MOVQ CX, ret+0(FP)
	RET

// func recordWord(offset uintptr) uint64
TEXT ·recordWord(SB), NOSPLIT, $0-16
	MOVQ (TLS), CX
	MOVQ offset+0(FP), AX
	MOVQ (CX)(AX*1), DX
	MOVQ DX, ret+8(FP)
	RET

// func StackDepth() uintptr
// The second word of the record is the stack's upper end; its first two fields have been there since Go 1.3.
TEXT ·StackDepth(SB), NOSPLIT, $0-8
	MOVQ (TLS), CX
	MOVQ 8(CX), AX
	SUBQ SP, AX
	MOVQ AX, ret+0(FP)
	RET

// func cpuid(leaf uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	XORL CX, CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET
