package process_test

import (
	"fmt"
	"time"

	"example.com/iprof/process"
)

// A session of frames from elsewhere has that program's name in its reports.
func ExampleSession_SetProgram() {
	s := process.NewSession()
	s.SetProgram(process.Program{Name: "game", GoVersion: "go1.26", Machine: "windows/amd64, 8 cores",
		Start: time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)})
	d := s.Dump(process.DumpOptions{Arguments: true})
	fmt.Println(d.Program, d.GoVersion, d.Machine, d.Time.Format(time.DateOnly), len(d.Arguments))
	// Output: game go1.26 windows/amd64, 8 cores 2026-11-01 0
}
