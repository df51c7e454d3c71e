//go:build !iprof_off

package iprof_test

import (
	"fmt"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process/report"
)

// shown prints values of a zone in the newest frame.
func shown(zone string, columns ...report.Column) {
	for _, rec := range rowsNamed(zone) {
		for _, c := range columns {
			fmt.Print(rec.Values[c], " ")
		}
	}
	fmt.Println()
}

// number prints a number of the newest frame.
func number(name string) {
	v := iprof.Default().View().Get()
	v.Average = report.AverageInstant
	var r report.Report
	iprof.Default().View().AppendReportOf(&r, v)
	for _, value := range r.Values {
		if value.Name == name {
			fmt.Println(name, value.Value)
		}
	}
}

// An arena reports the memory that it hands out and gets back. The open zone is charged.
func ExampleAlloc() {
	iprof.Update()
	func() {
		defer iprof.Begin("build level").End()
		iprof.Alloc(4096)
		iprof.Alloc(1024)
	}()
	iprof.Update()
	shown("build level", report.ColumnAllocs, report.ColumnAllocBytes)
	// Output: 2 5120
}

func ExampleFree() {
	iprof.Update()
	func() {
		defer iprof.Begin("drop level").End()
		iprof.Free(5120)
	}()
	iprof.Update()
	shown("drop level", report.ColumnFrees, report.ColumnFreeBytes)
	// Output: 1 5120
}

// Counts begin at 0 in each frame.
func ExampleCount() {
	iprof.Update()
	for range 3 {
		iprof.Count("shots")
	}
	iprof.Update()
	number("shots")
	iprof.Update()
	number("shots")
	// Output:
	// shots 3
	// shots 0
}

func ExampleCountN() {
	iprof.Update()
	iprof.CountN("bytes sent", 1500)
	iprof.CountN("bytes sent", 700)
	iprof.Update()
	number("bytes sent")
	// Output: bytes sent 2200
}

// Levels stay until they are set again.
func ExampleValue() {
	entities := []string{"player", "door"}
	iprof.Value("entities", len(entities))
	iprof.Value("temperature", 36.6)
	iprof.Update()
	iprof.Update()
	number("entities")
	number("temperature")
	// Output:
	// entities 2
	// temperature 36.6
}

// A zone that says how many units it worked on is shown with its time for each.
func ExampleUnits() {
	now := int64(0) // the time of a simulation, in us
	platform.SetClock(func() int64 { return now }, 1e6)
	defer platform.SetClock(nil, 0)
	iprof.Update()
	func() {
		defer iprof.Begin("step entities").End()
		iprof.Units(500)
		now += 2000
	}()
	iprof.Update()
	for _, rec := range rowsNamed("step entities") {
		fmt.Println(rec.Values[report.ColumnUnits], "units,", rec.Values[report.ColumnPerUnit], "ns for each")
	}
	// Output: 500 units, 4000 ns for each
}

// The Go heap of a zone, while one looks for who allocates.
func ExampleDefault_setmemorymode() {
	iprof.Default().SetMemoryMode(gather.MemoryHeapPerZone)
	defer iprof.Default().SetMemoryMode(gather.MemoryHeapPerFrame)
	iprof.Update()
	func() {
		defer iprof.Begin("decode").End()
		picture = make([]byte, 1<<20)
	}()
	iprof.Update()
	var average report.Report // one frame is too short for the heap of a zone
	iprof.Default().View().AppendReportOf(&average, report.View{})
	for _, rec := range average.Records {
		if rec.Name == "decode" {
			fmt.Println("takes memory:", rec.Values[report.ColumnHeapBytes] > 0)
		}
	}
	// Output: takes memory: true
}

var picture []byte

// Mark says when something happened. The history and the timeline have a flag there.
func ExampleMark() {
	iprof.Reset()
	iprof.Mark("level loaded")
	iprof.Update()
	session := iprof.Default()
	for _, m := range session.AppendMarks(nil, 0, session.View().Info().Index) {
		fmt.Printf("%q in the newest frame: %t\n", m.Text, m.Frame == session.View().Info().Index)
	}
	// Output: "level loaded" in the newest frame: true
}

// A wait for a channel is an idle zone, so frames do not count it as work.
func ExampleWait() {
	jobs := make(chan int, 1)
	jobs <- 7
	next := func() int {
		defer iprof.Wait("for a job").End()
		return <-jobs
	}
	fmt.Println(next())
	// Output: 7
}

// A lock of the program's own is shown while a goroutine waits for it: as the zone "lock scores".
func ExampleMutex() {
	scores := iprof.Mutex{Name: "scores"}
	best := 0
	scores.Lock()
	best++
	scores.Unlock()
	fmt.Println(best)
	// Output: 1
}

// Readers do not wait for each other.
func ExampleRWMutex() {
	players := iprof.RWMutex{Name: "players"}
	players.RLock()
	defer players.RUnlock()
	fmt.Println(players.TryRLock(), players.TryLock())
	// Output: true false
}
