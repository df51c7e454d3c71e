package iproftest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/changes"
)

// update is the environment variable that makes Baseline write its files.
const update = "IPROFTEST_UPDATE"

// Baseline checks that neither the frame nor a zone is slower than in a stored capture, by more than noise: four
// standard errors of the difference of the means, and at least a twentieth of the time. The times are those of
// Result.Times. With the environment variable IPROFTEST_UPDATE=1 it writes the capture instead. Compare only runs of
// one machine. Zones that the capture does not have are not compared. glviewer opens the capture.
func Baseline(path string) Check {
	return func(r *Result) error {
		if os.Getenv(update) != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return fmt.Errorf("iproftest: %w", err)
			}
			return os.WriteFile(path, r.file.Bytes(), 0o666)
		}
		before, err := readBaseline(path)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("iproftest: %w; %s=1 writes it", err, update)
		}
		if err != nil {
			return fmt.Errorf("iproftest: %w", err)
		}
		return r.compare(before)
	}
}

// readBaseline reads a capture as if its frames had been run.
func readBaseline(path string) (*Result, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, err := capture.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b := newResult()
	b.session.AddSink(b)
	var f gather.Frame
	for {
		switch err := reader.Next(&f); {
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := b.session.WriteFrame(&f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
}

// compare returns what is slower than before.
func (r *Result) compare(before *Result) error {
	var slower []string
	names := []string{""}
	for name := range r.zones {
		if z := before.zones[name]; name != "" && z != nil && !z.own {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		was, is := changes.SampleOf(before.Times(name)), changes.SampleOf(r.Times(name))
		noise := changes.Noise(was, is)
		if by := is.Mean - was.Mean; by > max(noise, was.Mean/20) {
			slower = append(slower, fmt.Sprintf("%s takes %v on average; it was %v, noise %v", title(name),
				round(is.Mean), round(was.Mean), round(noise)))
		}
	}
	if len(slower) == 0 {
		return nil
	}
	_, worst := Max.of(r.Times(""))
	return fmt.Errorf("iproftest: slower than the baseline: %s%s", strings.Join(slower, "; "), r.verdict(worst))
}

func round(nanoseconds float64) time.Duration { return time.Duration(math.Round(nanoseconds)) }
