package process_test

import (
	"fmt"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A view shows the mean of the frames that words choose, here of the two slowest in a section.
func ExampleView_ParseFrames() {
	s, end := process.NewSession(), int64(0)
	for i, ms := range []int64{5, 9, 4, 30, 6, 20} {
		f := &gather.Frame{Index: uint64(i), TicksPerSecond: 1000, Begin: platform.Ticks(end),
			End: platform.Ticks(end + ms), Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}}}
		if end += ms; i >= 2 {
			f.Section = gather.SectionInfo{Number: 1, Name: "level 3"}
		}
		if err := s.WriteFrame(f); err != nil {
			fmt.Println(err)
		}
	}
	lens, err := s.View().ParseFrames(`section:"level 3",worst:2`)
	s.View().SetLens(lens)
	info := s.View().Info()
	fmt.Println(lens.Words(), err, info.LensFrames, info.Length)
	// Output: 2-5,worst:2 <nil> 2 25
}

// The columns of reports have names, as in JSON, and headings.
func ExampleOrderBy() {
	for _, name := range []string{"hier_ms", "calls", "size"} {
		o, names, ok := report.OrderBy(name)
		fmt.Println(name, ok, o.By.Info().Name, len(names) > 20)
	}
	// Output:
	// hier_ms true hier_ms false
	// calls true count false
	// size false self_ms true
}
