package viewer_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// inMenus names the commands that do what a setter of a session does. "" is a setter for programs alone.
var inMenus = map[string]string{
	"SetAverage": "average", "SetColumns": "columns", "SetBudget": "zone-budget",
	"SetCursor": "down", "SetCursorZone": "down", "SetFrame": "older",
	"SetFrameBudget": "budget", "SetHistory": "history", "SetHistoryLimits": "history",
	"SetLane": "lane", "SetLens": "all-frames", "SetMemoryMode": "memory", "SetMuted": "mute",
	"SetPerCall": "card", "SetRecursion": "recursion", "SetReportMode": "calltree",

	"SetSources": "", "SetPicture": "", // where data is from
	"SetEventDriven": "idle-outside", "SetTracing": "trace",
	"Set": "", "Arrange": "find", // parts have commands; headings of columns; SetHistoryLimits
	"SetRecording": "recording", "SetOverheadLimit": "limit", "SetEvents": "events", // of package gather
}

// TestMenusReachWhatTheProgramCanSet fails when a session gets a setter that no command stands for.
func TestMenusReachWhatTheProgramCanSet(t *testing.T) {
	for _, of := range []reflect.Type{reflect.TypeFor[*process.Session](), reflect.TypeFor[*process.View](),
		reflect.TypeFor[process.Sources]()} {
		for i := range of.NumMethod() {
			name := of.Method(i).Name
			if _, known := inMenus[name]; strings.HasPrefix(name, "Set") && !known {
				t.Errorf("%v.%s: got no command for it; want one, or a reason why there is none", of, name)
			}
		}
	}
	for setter, name := range inMenus {
		at := slices.IndexFunc(viewer.Commands(), func(c viewer.Command) bool { return c.Name == name })
		if name != "" && (at < 0 || viewer.Commands()[at].Do == nil) {
			t.Errorf("%s: got no command %q in menus; want one", setter, name)
		}
	}
}

func TestMenuMeasures(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	defer gather.SetRecording(true)
	defer gather.SetOverheadLimit(0)
	gather.SetOverheadLimit(0)
	s := process.NewSession()
	p := viewer.PanelFor(s)
	if p.Run("recording"); gather.Recording() {
		t.Error("recording: got it on; want it off")
	}
	if p.Run("recording"); !gather.Recording() {
		t.Error("recording twice: got it off; want it on")
	}
	for _, want := range []float64{0.05, 0.02, 0.01, 0} {
		if p.Run("limit"); gather.OverheadLimit() != want {
			t.Errorf("limit: got %v; want %v", gather.OverheadLimit(), want)
		}
	}
	for _, want := range []int{1000, 3000, 10_000, 300} {
		if p.Run("history"); s.HistoryLimits().Frames != want {
			t.Errorf("history: got %d frames; want %d", s.HistoryLimits().Frames, want)
		}
	}
}
