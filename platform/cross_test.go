package platform

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// The assembly and its Go twin must tell the same goroutine and the same time.

func TestSlotIsOneCacheLine(t *testing.T) {
	if got := unsafe.Sizeof(Slot{}); got != 64 {
		t.Errorf("size of a slot: got %d; want 64", got)
	}
	if got := uintptr(unsafe.Pointer(&slots[0])) % 32; got != 0 && Assembly {
		t.Errorf("address of the slots modulo 32: got %d; want 0", got)
	}
}

func TestGoroutineAgreesWithStack(t *testing.T) {
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			for range 3 {
				if got, want := Goroutine(), stackID(); got != want {
					t.Errorf("goroutine id: got %d; want %d", got, want)
				}
				runtime.Gosched()
			}
		})
	}
	wait.Wait()
}

func TestIdentitySurvivesStackGrowthAndLockedThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	key, id := Identity()
	var grow func(n int) byte
	grow = func(n int) byte {
		var big [1024]byte
		if n > 0 {
			big[n] = grow(n - 1)
		}
		return big[n]
	}
	grow(200)
	if k, i := Identity(); k != key || i != id {
		t.Errorf("identity after growing the stack: got %d, %d; want %d, %d", k, i, key, id)
	}
}

// claim makes the calling goroutine's home slot its own until the test ends.
func claim(t *testing.T) *Slot {
	t.Helper()
	if !Direct() {
		t.Skip("no home slots with this clock")
	}
	key, id := Identity()
	slot := Home(key)
	HomeKey(key).Store(key)
	slot.ID = id
	t.Cleanup(func() { HomeKey(key).Store(0); slot.Serve(0) })
	return slot
}

func TestEnterFindsTheHomeSlotOnlyWhenItIsOurs(t *testing.T) {
	if got, now := Enter(); got != nil || now != 0 {
		t.Errorf("unclaimed: got %p, %d; want nil, 0", got, now)
	}
	slot := claim(t)
	before := Now()
	got, now := Enter()
	after := Now()
	if got != slot {
		t.Errorf("claimed: got %p; want %p", got, slot)
	}
	if now+Jitter() < before || now > after+Jitter() {
		t.Errorf("time: got %d; want between %d and %d", now, before, after)
	}
	if now := Leave(slot); now+Jitter() < before {
		t.Errorf("Leave of our own slot: got %d; want later than %d", now, before)
	}
	elsewhere := make(chan *Slot)
	go func() { s, _ := Enter(); elsewhere <- s }()
	if got := <-elsewhere; got == slot {
		t.Error("another goroutine got our slot")
	}
}

func TestFindTimeReadsTheTimeWhenTheSlotSaysSo(t *testing.T) {
	if got, now := FindTime(); got != nil || now != 0 {
		t.Errorf("unclaimed: got %p, %d; want nil, 0", got, now)
	}
	slot := claim(t)
	id := slot.ID
	for _, is := range []struct{ timed, others bool }{{}, {timed: true}, {others: true}, {true, true}} {
		slot.Serve(id)
		if slot.Timed() {
			t.Error("served anew: got the time read; want it not to be")
		}
		if slot.SetTimed(is.timed); slot.Timed() != is.timed {
			t.Errorf("timed %v: got %v", is.timed, slot.Timed())
		}
		slot.Read = 0
		slot.Stop = ^slot.timed // the assembly must not look at what is beside it
		if is.others {
			slot.ID = id ^ 1<<16
		}
		before := Now()
		found, now := FindTime()
		kept := slot.Read
		called, at, _ := FindCaller()
		keptCaller := slot.Read
		after := Now()
		want := slot
		if is.others {
			want = nil
		}
		if found != want || called != want {
			t.Errorf("%+v: got %p and %p; want %p", is, found, called, want)
		}
		for _, now := range []Ticks{now, at} {
			none := !is.timed || is.others
			if none && now != 0 || !none && (now+Jitter() < before || now > after+Jitter()) {
				t.Errorf("%+v: got %d; want it between %d and %d if timed on its own goroutine, else 0",
					is, now, before, after)
			}
		}
		if kept != now || keptCaller != at {
			t.Errorf("%+v: got the readings %d and %d in the slot; want %d and %d", is, kept, keptCaller, now, at)
		}
	}
	slot.Serve(id)
	slot.SetTimed(true)
	elsewhere := make(chan Ticks)
	go func() { _, now := FindTime(); elsewhere <- now }()
	if now := <-elsewhere; now != 0 {
		t.Errorf("another goroutine: got the time %d; want 0, as it has another slot", now)
	}
}

func TestLeaveKnowsAStranger(t *testing.T) {
	if !Assembly {
		t.Skip("the Go twin does not ask who leaves")
	}
	slot := claim(t)
	elsewhere := make(chan Ticks)
	go func() { elsewhere <- Leave(slot) }()
	if got := <-elsewhere; got != 0 {
		t.Errorf("Leave on another goroutine: got %d; want 0", got)
	}
}

//go:noinline
func entered() (asm, twin uintptr) {
	_, _, pc := EnterCaller()
	return pc, callerGo(3)
}

func TestEnterCallerAgreesWithCallers(t *testing.T) {
	asm, twin := entered()
	if asm != twin || asm == 0 {
		t.Errorf("caller's caller: got %x; want %x", asm, twin)
	}
	frame, _ := runtime.CallersFrames([]uintptr{asm}).Next()
	if want := "TestEnterCallerAgreesWithCallers"; !strings.HasSuffix(frame.Function, want) {
		t.Errorf("caller's caller: got %s; want %s", frame.Function, want)
	}
}

//go:noinline
func depth() uintptr { return StackDepth() }

//go:noinline
func deeper(n int) uintptr {
	if n == 0 {
		return depth()
	}
	return deeper(n-1) + 0
}

func TestStackDepthTellsDepthsApart(t *testing.T) {
	var same [2]uintptr
	for i := range same {
		same[i] = deeper(1)
	}
	if same[0] != same[1] || same[0] == 0 {
		t.Errorf("twice from one place: got %d, %d; want equal and not 0", same[0], same[1])
	}
	if deeper(1) == deeper(2) {
		t.Error("one frame deeper: got the same depth")
	}
}

func TestParseID(t *testing.T) {
	for line, want := range map[string]uint64{"goroutine 1 [running]:": 1,
		"goroutine 18446744073709551615 [": 1<<64 - 1, "goroutine": 0, "": 0} {
		if got := parseID([]byte(line)); got != want {
			t.Errorf("%q: got %d; want %d", line, got, want)
		}
	}
}

func TestClockRunsAtItsRate(t *testing.T) {
	rate := TicksPerSecond()
	outer := time.Now()
	begin := Now()
	inner := time.Now()
	time.Sleep(20 * time.Millisecond)
	least := time.Since(inner).Seconds()
	ticks := Now() - begin
	most := time.Since(outer).Seconds()
	Refine()
	if got := float64(ticks) / TicksPerSecond(); got < 0.9*least || got > 1.1*most {
		t.Errorf("clock seconds: got %v; want %v to %v (rate %v)", got, least, most, rate)
	}
}
