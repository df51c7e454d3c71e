//go:build gc && !purego

#include "funcdata.h"
#include "textflag.h"

// The assembler's register g (R28) holds the goroutine's record. CNTVCT_EL0 is the virtual counter and CNTFRQ_EL0 its
// rate (Arm ARM, D13.8). Go's own runtime reads both on every arm64 system. R2 is the goroutine's id, R5 the home slot.

#define PLACE(offset) \
	MOVD offset(SB), R1 \
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

#define HOME(offset) \
	PLACE(offset) \
	OWN

// func Enter() (slot *Slot, t Ticks)
TEXT ·Enter(SB), NOSPLIT, $0-16
	HOME(·counterOffset)
	BNE other
	MRS CNTVCT_EL0, R0
	MOVD R0, 40(R5)
	MOVD R5, slot+0(FP)
	MOVD R0, t+8(FP)
	RET
other:
	B ·enterClock(SB)

// func EnterCaller() (slot *Slot, t Ticks, pc uintptr)
// R29 is the caller's frame record, whose second word is the caller's return address.
TEXT ·EnterCaller(SB), NOSPLIT, $0-24
	MOVD 8(R29), R7
	MOVD R7, pc+16(FP)
	HOME(·counterOffset)
	BNE other
	MRS CNTVCT_EL0, R0
	MOVD R0, 40(R5)
	MOVD R5, slot+0(FP)
	MOVD R0, t+8(FP)
	RET
other:
	B ·enterCallerClock(SB)

// func Find() *Slot
TEXT ·Find(SB), NOSPLIT, $0-8
	HOME(·goidOffset)
	BNE strange
	MOVD R5, ret+0(FP)
	RET
strange:
	MOVD ZR, ret+0(FP)
	RET

// func FindIdentity() (slot *Slot, key, id uint64)
TEXT ·FindIdentity(SB), NOSPLIT, $0-24
	HOME(·goidOffset)
	MOVD g, key+8(FP)
	MOVD R2, id+16(FP)
	BNE strange
	MOVD R5, slot+0(FP)
	RET
strange:
	MOVD ZR, slot+0(FP)
	RET

// func FindTime() (slot *Slot, t Ticks)
// One comparison with the id's low bits decides whether the time is read.
TEXT ·FindTime(SB), NOSPLIT, $0-16
	PLACE(·goidOffset)
	MOVHU 56(R5), R6
	MOVHU R2, R3
	CMP R3, R6
	BNE untimed
	MOVD ·counterOffset(SB), R1
	ADD g, R1, R1
	MOVD (R1), R2
	OWN
	BNE other
	MRS CNTVCT_EL0, R0
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
other:
	B ·enterClock(SB)

// func FindCaller() (slot *Slot, t Ticks, pc uintptr)
TEXT ·FindCaller(SB), NOSPLIT, $0-24
	MOVD 8(R29), R7
	MOVD R7, pc+16(FP)
	PLACE(·goidOffset)
	MOVHU 56(R5), R6
	MOVHU R2, R3
	CMP R3, R6
	BNE untimed
	MOVD ·counterOffset(SB), R1
	ADD g, R1, R1
	MOVD (R1), R2
	OWN
	BNE other
	MRS CNTVCT_EL0, R0
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
other:
	B ·enterCallerClock(SB)

// func Leave(slot *Slot) Ticks
TEXT ·Leave(SB), NOSPLIT, $0-16
	MOVD slot+0(FP), R5
	MOVD ·counterOffset(SB), R1
	ADD g, R1, R1
	MOVD (R1), R2
	OWN
	BNE other
	MRS CNTVCT_EL0, R0
	MOVD R0, 40(R5)
	MOVD R0, ret+8(FP)
	RET
other:
	B ·leaveClock(SB)

// The functions below are the rest of those above: for a clock that is not the counter, which counterOffset says, and
// for a goroutine without a home slot. The clock is read last, as there. Slots in the frame are home slots, which are no
// memory of the heap. The result of a call is at 8(RSP).

// func enterClock() (slot *Slot, t Ticks)
TEXT ·enterClock(SB), 0, $32-16
	NO_LOCAL_POINTERS
	MOVD ZR, slot+0(FP)
	MOVD ZR, t+8(FP)
	GO_RESULTS_INITIALIZED
	HOME(·goidOffset)
	BNE strange
	MOVD R5, home-8(SP)
	CALL ·readClock(SB)
	MOVD home-8(SP), R5
	MOVD 8(RSP), R0
	MOVD R0, 40(R5)
	MOVD R5, slot+0(FP)
	MOVD R0, t+8(FP)
strange:
	RET

// func enterCallerClock() (slot *Slot, t Ticks, pc uintptr)
// The first word of the frame record is the caller's.
TEXT ·enterCallerClock(SB), 0, $32-24
	NO_LOCAL_POINTERS
	MOVD 0(R29), R7
	MOVD 8(R7), R7
	MOVD R7, pc+16(FP)
	MOVD ZR, slot+0(FP)
	MOVD ZR, t+8(FP)
	GO_RESULTS_INITIALIZED
	HOME(·goidOffset)
	BNE strange
	MOVD R5, home-8(SP)
	CALL ·readClock(SB)
	MOVD home-8(SP), R5
	MOVD 8(RSP), R0
	MOVD R0, 40(R5)
	MOVD R5, slot+0(FP)
	MOVD R0, t+8(FP)
strange:
	RET

// func leaveClock(slot *Slot) Ticks
TEXT ·leaveClock(SB), 0, $16-16
	NO_LOCAL_POINTERS
	MOVD slot+0(FP), R5
	MOVD ·goidOffset(SB), R1
	ADD g, R1, R1
	MOVD (R1), R2
	OWN
	BNE strange
	CALL ·readClock(SB)
	MOVD slot+0(FP), R5
	MOVD 8(RSP), R0
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
