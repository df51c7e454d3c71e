//go:build iprof_off

package measure

import (
	"os/exec"
	"strings"
	"testing"

	"example.com/iprof/platform"
)

var z Zone

func TestNothingIsLeft(t *testing.T) {
	lane := Register("x")
	s := z.Begin()
	defer s.End()
	s.Text("x")
	s.Value(1)
	for range z.Span {
		z.In(lane).End()
	}
	z.Hold().Keep(false)
	z.Hold().KeepIf(nil)
	Discard()
	SetEvents(100)
	z.SetPerCall(true)
	if got := AppendCalls(nil); got != nil {
		t.Errorf("calls: got %v; want none", got)
	}
	if got := AppendEvents(nil, 1, 0, platform.MaxTicks); got != nil {
		t.Errorf("events: got %v; want none", got)
	}
	Alloc(1)
	Free(1)
	Units(1)
	Count("x")
	CountN("x", 2)
	Value("x", 3)
	if SetMemoryMode(MemoryHeapPerZone); Memory() != MemoryOff {
		t.Errorf("memory mode: got %v; want off", Memory())
	}
	SetRecording(true)
	SetAutoRegister(true)
	SetLimits(Limits{})
	f := Frame{Index: 7}
	Collect(&f)
	Peek(&f)
	if Enabled || Recording() || f.Index != 0 || len(f.Lanes) != 0 || len(f.Zones) != 1 ||
		Calibrate() != 0 || lane.ID() != 0 || lane.Name() != "" {
		t.Errorf("got %+v; want an empty frame", f)
	}
	lane.Close()
}

func TestAllOfItInlines(t *testing.T) {
	out, err := exec.Command("go", "build", "-tags=iprof_off", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, f := range []string{"(*Zone).Begin", "(*Zone).In", "(*Zone).Span", "Scope.End", "Scope.Text",
		"Scope.Value", "(*Zone).Hold", "Held.Keep", "OpenSite", "Alloc", "Units", "Count", "CountN", "Value"} {
		if !strings.Contains(string(out), "can inline "+f+"\n") {
			t.Errorf("%s: got no inlining; want it inlined", f)
		}
	}
}
