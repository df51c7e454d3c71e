//go:build gc && !purego

#include "textflag.h"

// The assembler's register g (R28) holds the goroutine's record. CNTVCT_EL0 is the virtual counter and CNTFRQ_EL0 its
// rate (Arm ARM, D13.8). Go's own runtime reads both on every arm64 system. R2 is the goroutine's id, R5 the home slot.

#define PLACE \
	MOVD ·goidOffset(SB), R1 \
	ADD g, R1, R1 \
	MOVD (R1), R2 \
	MOVD $0x9E3779B1, R3 \
	MULW g, R3, R4 \
	LSRW $19, R4, R4 \
	MOVD $·slots(SB), R5 \
	ADD R4<<6, R5, R5

#define OWN \
	MOVD 0(R5), R6 \
	CMP R2, R6

#define HOME \
	PLACE \
	OWN

// func Enter() (slot *Slot, t Ticks)
TEXT ·Enter(SB), NOSPLIT, $0-16
	HOME
	BNE strange
	MRS CNTVCT_EL0, R0
	MOVD R0, 40(R5)
	MOVD R5, slot+0(FP)
	MOVD R0, t+8(FP)
	RET
strange:
	MOVD ZR, slot+0(FP)
	MOVD ZR, t+8(FP)
	RET

// func EnterCaller() (slot *Slot, t Ticks, pc uintptr)
// R29 is the caller's frame record, whose second word is the caller's return address.
TEXT ·EnterCaller(SB), NOSPLIT, $0-24
	MOVD 8(R29), R7
	MOVD R7, pc+16(FP)
	HOME
	BNE strange
	MRS CNTVCT_EL0, R0
	MOVD R0, 40(R5)
	MOVD R5, slot+0(FP)
	MOVD R0, t+8(FP)
	RET
strange:
	MOVD ZR, slot+0(FP)
	MOVD ZR, t+8(FP)
	RET

// func Find() *Slot
TEXT ·Find(SB), NOSPLIT, $0-8
	HOME
	BNE strange
	MOVD R5, ret+0(FP)
	RET
strange:
	MOVD ZR, ret+0(FP)
	RET

// func FindTime() (slot *Slot, t Ticks)
// One comparison with the id's low bits decides whether the time is read. The whole id is compared after the reading.
TEXT ·FindTime(SB), NOSPLIT, $0-16
	PLACE
	MOVHU 56(R5), R6
	MOVHU R2, R3
	CMP R3, R6
	BNE untimed
	MRS CNTVCT_EL0, R0
	OWN
	BNE strange
	MOVD R0, 40(R5)
	MOVD R5, slot+0(FP)
	MOVD R0, t+8(FP)
	RET
untimed:
	OWN
	BNE strange
	MOVD R5, slot+0(FP)
	MOVD ZR, t+8(FP)
	RET
strange:
	MOVD ZR, slot+0(FP)
	MOVD ZR, t+8(FP)
	RET

// func FindCaller() (slot *Slot, t Ticks, pc uintptr)
TEXT ·FindCaller(SB), NOSPLIT, $0-24
	MOVD 8(R29), R7
	MOVD R7, pc+16(FP)
	PLACE
	MOVHU 56(R5), R6
	MOVHU R2, R3
	CMP R3, R6
	BNE untimed
	MRS CNTVCT_EL0, R0
	OWN
	BNE strange
	MOVD R0, 40(R5)
	MOVD R5, slot+0(FP)
	MOVD R0, t+8(FP)
	RET
untimed:
	OWN
	BNE strange
	MOVD R5, slot+0(FP)
	MOVD ZR, t+8(FP)
	RET
strange:
	MOVD ZR, slot+0(FP)
	MOVD ZR, t+8(FP)
	RET

// func Leave(slot *Slot) Ticks
TEXT ·Leave(SB), NOSPLIT, $0-16
	MOVD slot+0(FP), R5
	MOVD ·goidOffset(SB), R1
	ADD g, R1, R1
	MOVD (R1), R2
	MOVD 0(R5), R6
	CMP R2, R6
	BNE strange
	MRS CNTVCT_EL0, R0
	MOVD R0, 40(R5)
	MOVD R0, ret+8(FP)
	RET
strange:
	MOVD ZR, ret+8(FP)
	RET

// func ticks() Ticks
TEXT ·ticks(SB), NOSPLIT, $0-8
	MRS CNTVCT_EL0, R0
	MOVD R0, ret+0(FP)
	RET

// func record() uintptr
TEXT ·record(SB), NOSPLIT, $0-8
	MOVD g, ret+0(FP)
	RET

// func recordWord(offset uintptr) uint64
TEXT ·recordWord(SB), NOSPLIT, $0-16
	MOVD offset+0(FP), R1
	ADD g, R1, R1
	MOVD (R1), R2
	MOVD R2, ret+8(FP)
	RET

// func StackDepth() uintptr
// The second word of the record is the stack's upper end; its first two fields have been there since Go 1.3.
TEXT ·StackDepth(SB), NOSPLIT, $0-8
	MOVD 8(g), R0
	MOVD RSP, R1
	SUB R1, R0, R0
	MOVD R0, ret+0(FP)
	RET

// func counterFrequency() uint64
TEXT ·counterFrequency(SB), NOSPLIT, $0-8
	MRS CNTFRQ_EL0, R0
	MOVD R0, ret+0(FP)
	RET
