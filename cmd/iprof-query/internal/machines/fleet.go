package machines

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Versions are those of a fleet. Each came on the next day.
var Versions = []string{"1.2", "1.3", "1.4", "1.5"}

// Of returns a machine of a fleet, in which each version and class of machines has as many.
func Of(number, frames int) *Machine {
	version := number / 3 % len(Versions)
	return &Machine{Number: number, Version: Versions[version], Frames: frames,
		Start: time.Date(2026, 11, 20+version, 10, 0, number%60, 0, time.UTC)}
}

// Fleet writes the captures of n machines into folders day=…/service=game/version=…, and returns their paths.
func Fleet(dir string, n, frames int) (paths []string, err error) {
	for number := range n {
		m := Of(number, frames)
		folder := filepath.Join(dir, "day="+m.Start.Format("2006-01-02"), "service=game", "version="+m.Version)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return nil, err
		}
		path := filepath.Join(folder, fmt.Sprintf("machine%04d.iprof", number))
		file, err := os.Create(path)
		if err == nil {
			if err = m.Write(file); err == nil {
				err = file.Close()
			}
		}
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}
