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

	"example.com/iprof/gather"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/outfile"
)

// update is the environment variable that makes Baseline write its files.
const update = "IPROFTEST_UPDATE"

// Baseline checks that neither the frame nor a zone is slower than in a stored capture by more than noise. Noise is
// four standard errors of the difference of the means, and at least a twentieth of the time. It compares the times of
// Result.Times, without disturbed frames. With the environment variable IPROFTEST_UPDATE=1 it writes the capture
// instead. Zones that are not in the capture are not compared. glviewer opens the capture.
//
// The capture also has the time of a calibration loop. Times are compared as multiples of that time, so that the
// capture may come from another machine. If the loop now takes less than 0.9 or more than 1.1 times as long, only
// changes beyond a quarter of the time count, because a machine is not faster at everything by the same factor.
func Baseline(path string) Check {
	return func(r *Result) error {
		if os.Getenv(update) != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return fmt.Errorf("iproftest: %w", err)
			}
			err := outfile.Write(path, func(w io.Writer) error {
				_, err := w.Write(r.file.Bytes())
				return err
			})
			if err != nil {
				return fmt.Errorf("iproftest: %w", err)
			}
			return nil
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

// readBaseline reads a capture as the Result of a Run.
func readBaseline(path string) (*Result, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, err := framefile.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b := newResult()
	b.session.AddSink(b)
	var f gather.Frame
	for {
		switch err := reader.Next(&f); {
		case errors.Is(err, io.EOF):
			b.loop = calibratedIn(reader.Info().Reason)
			return b, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := b.session.WriteFrame(&f); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
}

// compare returns an error that names the zones that are slower than before.
func (r *Result) compare(before *Result) error {
	var slower []string
	names := []string{""}
	for name := range r.zones {
		if z := before.zones[name]; name != "" && z != nil && !z.own {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	ratio, least := r.speed(before)
	for _, name := range names {
		was, is := before.sample(name), r.sample(name)
		was.Mean, was.Deviation = was.Mean*ratio, was.Deviation*ratio
		noise := changes.Noise(was, is)
		if by := is.Mean - was.Mean; by > max(noise, was.Mean*least) {
			slower = append(slower, fmt.Sprintf("%s takes %v on average; it was %v, noise %v", title(name),
				round(is.Mean), round(was.Mean), round(noise)))
		}
	}
	if len(slower) == 0 {
		return nil
	}
	times, frames := r.settled("")
	_, worst := Max.of(times)
	from := ""
	if ratio != 1 {
		from = fmt.Sprintf(", whose times are multiplied by %.2f as the calibration loop's,", ratio)
	}
	return fmt.Errorf("iproftest: slower than the baseline%s: %s%s%s", from, strings.Join(slower, "; "),
		r.ofDisturbed(), r.verdict(frames[worst]))
}

// sample returns the statistics of the times of a zone without disturbed frames.
func (r *Result) sample(zone string) changes.Sample {
	times, _ := r.settled(zone)
	return changes.SampleOf(times)
}

// speed returns the ratio of this machine's time for the same work to the baseline machine's, and the least relative
// change that counts.
func (r *Result) speed(before *Result) (ratio, least float64) {
	const alike = 0.1
	if r.loop <= 0 || before.loop <= 0 {
		return 1, 1. / 20
	}
	if ratio = r.loop.Seconds() / before.loop.Seconds(); math.Abs(math.Log(ratio)) > alike {
		return ratio, 1. / 4
	}
	return ratio, 1. / 20
}

func round(nanoseconds float64) time.Duration { return time.Duration(math.Round(nanoseconds)) }
