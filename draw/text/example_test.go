package text_test

import (
	"fmt"
	"os"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

func ExampleWriteZones() {
	d := &report.Dump{
		Program: "convert", TicksPerSecond: 1e9, RunTime: 2e9, Calls: 40, Lanes: make([]report.LaneTree, 1),
		Zones: []gather.ZoneInfo{{Name: "(root)"},
			{Name: "load", Function: "main.load", File: "main.go", Line: 12},
			{Name: "load", Function: "main.loadAll", File: "all.go", Line: 12}},
		Merged: []report.TreeNode{{Parent: -1, Hier: 2000, Self: 500},
			{Zone: 2, Parent: 0, Level: 1, Count: 1, Hier: 1500, Self: 20},
			{Zone: 1, Parent: 1, Level: 2, Count: 39, Hier: 1480, Self: 1480, Errors: 1}},
	}
	text.WriteZones(os.Stdout, d, text.Options{})
	// Output:
	// profile of convert: 2.000 s, 1 goroutine, 40 calls
	//  with callees      self ms     ticks       calls  errors  zone    function      place
	//     2000.000      500.000    2.000G           0       0  (root)  -             -
	//     1500.000       20.000    1.500G           1       0  load    main.loadAll  all.go:12
	//     1480.000     1480.000    1.480G          39       1  load    main.load     main.go:12
}

func ExampleName() {
	fmt.Println(text.Name("load config"), text.Name("\x1b[2J"), text.Name(""))
	// Output: load config \x1b[2J (unnamed)
}

func ExampleCut() {
	fmt.Println(text.Cut("initialise the renderer", 12))
	// Output: initialis...
}

func ExampleDuration() {
	fmt.Println(text.Duration(16.67), text.Duration(0.0123))
	// Output: 16.67 ms 12.30 us
}

func ExampleReading() {
	const tick = 1000 / 24e6 // a counter of 24 MHz, as Apple's
	fmt.Println(text.Reading(3*tick, tick), text.Reading(37*tick, tick), text.Reading(400_000*tick, tick))
	// Output: 125 ns 1.5 us 16.67 ms
}

func ExampleEnvironment() {
	for name, value := range map[string]string{"LC_ALL": "C.UTF-8", "NO_COLOR": "1"} {
		defer os.Setenv(name, os.Getenv(name))
		os.Setenv(name, value)
	}
	fmt.Println(text.Environment())
	// Output: true false
}

func ExampleWriteVerdict() {
	v := report.Verdict{Index: 1237, Frames: 1, Over: true, Time: 121.7, Usual: 16.6, Excess: 105.1,
		Causes: []report.Cause{
			{Kind: report.CauseLonger, Zone: 4, Path: 9, Name: "sprites", Callers: []string{"render", "frame"},
				Time: 121.7, Usual: 3.5, Excess: 105},
			{Kind: report.CauseCollector, Zone: 4, Path: 9, Time: 40, Excess: 40}}}
	text.WriteVerdict(os.Stdout, &v)
	// Output: Frame 1237: +105 ms. sprites 121.7 (usually 3.5), called by render; 40.0 ms of it garbage collection.
}

func ExampleWriteVerdictAt() {
	v := report.Verdict{Index: 7, Frames: 1, Over: true, Time: 24, Usual: 3, Excess: 21, Causes: []report.Cause{
		{Kind: report.CauseLonger, Zone: 1, Path: 9, Name: "physics", Time: 24, Usual: 3, Excess: 21}}}
	text.WriteVerdictAt(os.Stdout, &v, func(report.ZoneID) gather.ZoneInfo {
		return gather.ZoneInfo{Name: "physics", Function: "example.com/game.physics", File: "/src/world.go", Line: 88}
	})
	// Output: Frame 7: +21.0 ms. physics 24.0 (usually 3.0). In game.physics, world.go:88.
}

// The go statements of a program that iprof run has built, or that Sources.Spawns returns.
func ExampleWriteMuted() {
	text.WriteMuted(os.Stdout, []gather.ZoneInfo{{Name: "(*Lexer).step", File: "/src/lexer.go", Line: 2447}})
	// Output:
	// 1 function with calls too short to measure, muted and left out of the next build.
	// ~ above: counted exactly, and timed at random. Zones in them are rows below the enclosing zone.
	//   (*Lexer).step  lexer.go:2447
}

func ExampleWriteSpawns() {
	text.WriteSpawns(os.Stdout, []report.SpawnTimes{
		{Own: 12.5, Spawned: 431.25, Waited: 8000, Spawn: report.Spawn{
			Crowd: "main.serve server.go:42", Path: []string{"main", "serve"}, Goroutines: 96, Paths: 1}},
	}, 0)
	// Output:
	//   goroutines  own ms  spawned ms  waited ms  go statement, and the zones open there
	//           96  12.500     431.250   8000.000  "main.serve server.go:42, in main > serve"
}
