package capture_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// fill sets each number of a structure anew at random.
func fill(r *rand.Rand, of any) {
	v := reflect.ValueOf(of).Elem()
	for i := range v.NumField() {
		switch field := v.Field(i); {
		case field.CanUint() && v.Type().Field(i).Type.Kind() != reflect.Uint8: // a mode
			field.SetUint(r.Uint64N(1e9))
		case field.CanInt():
			field.SetInt(r.Int64N(1e9))
		}
	}
}

// Each number of a frame comes back, also where others are alike or 0 in most programs.
func TestEachNumberOfAFrameSurvives(t *testing.T) {
	var file bytes.Buffer
	w, p, r := framefile.NewWriter(&file, capture.Info{}), newProgram(3), rand.New(rand.NewPCG(3, 1))
	var want []*gather.Frame
	for range 20 {
		f := p.next()
		fill(r, &f.Dropped)
		fill(r, &f.Misuse)
		fill(r, &f.Memory)
		fill(r, &f.Away)
		fill(r, &f.Clock)
		f.CPU, f.Between, f.EventDriven = time.Duration(r.Int64N(1e9)), platform.Ticks(r.Int64N(1e9)), r.IntN(2) == 0
		for _, cost := range []*platform.Ticks{&f.ScopeCost, &f.InsideCost, &f.CountCost} {
			*cost = platform.Ticks(r.IntN(99))
		}
		want = append(want, f)
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	frames, _, _ := readAll(t, file.Bytes())
	for i := range want {
		if i >= len(frames) || !same(frames[i], want[i]) {
			t.Fatalf("frame %d of %d: got\n%+v\nwant\n%+v", i, len(frames), frames[i].Dropped, want[i].Dropped)
		}
	}
}
