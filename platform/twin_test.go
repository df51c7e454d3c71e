package platform

import (
	"runtime"
	"testing"
	"unsafe"
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
func callersOfAll(r *ReturnAddress) (enter, find, read, twin uintptr) {
	_, _, enter = EnterCaller()
	_, _, find = FindCaller()
	if !r.Known() {
		r.Learn(ReturnDistance(unsafe.Pointer(&r)), unsafe.Pointer(&r))
	}
	return enter, find, r.Read(unsafe.Pointer(&r)), callerGo(3)
}

func TestTwinsFindTheSameCaller(t *testing.T) {
	var r ReturnAddress
	for range 2 { // to learn it, and to know it elsewhere
		enter, find, read, twin := callersOfAll(&r)
		if !r.Known() {
			t.Fatal("got an address that was not learnt")
		}
		for _, pc := range []uintptr{enter, find, read} {
			if a, b := runtime.FuncForPC(pc-1).Name(), runtime.FuncForPC(twin-1).Name(); a != b || pc != twin {
				t.Errorf("got %s+%#x and %s+%#x; want the same", a, pc, b, twin)
			}
		}
	}
}
