package platform

import (
	"runtime"
	"testing"
)

// The assembly and its twin answer the same questions: whose slot this is, and where the caller's caller returns to.
func TestTwinsAgree(t *testing.T) {
	Now()
	key, id := Identity()
	for name, slot := range map[string]*Slot{"Enter": Home(key), "enterGo": Home(id)} {
		if slot.ID != 0 {
			t.Skipf("%s: the slot is another goroutine's", name)
		}
	}
	if slot, _ := enterGo(); slot != nil {
		t.Error("enterGo: got a slot that nobody claimed")
	}
	Home(id).ID = id
	slot, now := enterGo()
	Home(id).ID = 0
	if slot != Home(id) || now <= 0 {
		t.Errorf("enterGo: got %p at %d; want %p at the present time", slot, now, Home(id))
	}
	if !Direct() {
		return
	}
	if slot, _ := Enter(); slot != nil {
		t.Error("Enter: got a slot that nobody claimed")
	}
	Home(key).ID = id
	slot, now = Enter()
	Home(key).ID = 0
	if slot != Home(key) || now <= 0 {
		t.Errorf("Enter: got %p at %d; want %p at the present time", slot, now, Home(key))
	}
}

//go:noinline
func callersOfAll() (enter, find, twin uintptr) {
	_, _, enter = EnterCaller()
	_, _, find = FindCaller()
	return enter, find, callerGo(3)
}

func TestTwinsFindTheSameCaller(t *testing.T) {
	enter, find, twin := callersOfAll()
	for _, pc := range []uintptr{enter, find} {
		a := runtime.FuncForPC(pc - 1).Name()
		b := runtime.FuncForPC(twin - 1).Name()
		if a != b || pc != twin {
			t.Errorf("got %s+%#x and %s+%#x; want the same", a, pc, b, twin)
		}
	}
}
