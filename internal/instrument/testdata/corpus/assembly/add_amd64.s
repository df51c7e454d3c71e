#include "textflag.h"
#include "local.h"

TEXT ·add(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), AX
	MOVQ b+8(FP), BX
	ADDQ BX, AX
	ADDQ $ZERO, AX
	MOVQ AX, ret+16(FP)
	RET

TEXT ·callGo(SB), $16-16
	MOVQ n+0(FP), AX
	MOVQ AX, 0(SP)
	CALL ·goTwice(SB)
	MOVQ 8(SP), AX
	MOVQ AX, ret+8(FP)
	RET
