package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/workload"
)

// options are the values of the command line.
type options struct {
	workload      string
	files         []string // captures to show instead of a workload
	programs      []string // addresses of programs to show instead of a workload
	token         string
	limits        budget.Budget // of time and memory for files and programs
	frames        int           // 0 = until the window is closed
	width, height int           // of the window
	scale         float64
	seed          uint64
	hidden        bool
	timeline      bool
	screenshot    string
	report        string
	record        string
	blackbox      string   // folder
	hitch         int      // interval in frames; 0 = never
	sources       []string // folders with the sources of captures and of remote programs
	fonts         []string // font files, preferred to the machine's
	unused        []string // a line for each font file that is damaged
	out           string   // folder in which the window saves files
	events        bool
	version       bool
	greets        bool // no flag says what to show: the user chooses in the window
	sized         bool // -size is given
}

// parse parses the command line. An error is one line for the user, or flag.ErrHelp for -h.
func parse(args []string) (options, error) {
	o := options{}
	var size string
	f := flags(&o, &size)
	if err := f.Parse(args); err != nil {
		return o, oneLine(err)
	}
	o.files = append(o.files, f.Args()...)
	o.greets = len(o.files) == 0
	f.Visit(func(f *flag.Flag) {
		o.greets = o.greets && slices.Contains(aroundTheSample, f.Name)
		o.sized = o.sized || f.Name == "size"
	})
	return o, o.check(size)
}

// aroundTheSample are the flags that do not choose what to show.
var aroundTheSample = []string{"token", "limits", "source", "size", "scale", "font", "out", "events"}

// remembers reports whether the window loads and saves settings. Windows that end by themselves are the same each time.
func (o *options) remembers() bool { return o.frames == 0 && !o.hidden }

// flags returns the flags of the command line. Their descriptions are in usage.
func flags(o *options, size *string) *flag.FlagSet {
	f := flag.NewFlagSet("glviewer", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&o.workload, "workload", "game", "")
	f.Func("connect", "", func(address string) error {
		o.programs = append(o.programs, address)
		return nil
	})
	f.StringVar(&o.token, "token", "", "")
	o.limits = budget.Usual
	f.Var(&o.limits, "limits", "")
	f.Func("source", "", func(folder string) error {
		absolute, err := filepath.Abs(folder)
		o.sources = append(o.sources, absolute)
		return err
	})
	f.Func("font", "", func(file string) error {
		o.fonts = append(o.fonts, file)
		return nil
	})
	f.IntVar(&o.frames, "frames", 0, "")
	f.StringVar(size, "size", "1280x720", "")
	f.Float64Var(&o.scale, "scale", 0, "")
	f.Uint64Var(&o.seed, "seed", 1, "")
	f.BoolVar(&o.hidden, "hidden", false, "")
	f.BoolVar(&o.timeline, "timeline", false, "")
	f.StringVar(&o.screenshot, "screenshot", "", "")
	f.StringVar(&o.report, "report", "", "")
	f.StringVar(&o.record, "record", "", "")
	f.StringVar(&o.blackbox, "blackbox", "", "")
	f.IntVar(&o.hitch, "hitch", 0, "")
	f.StringVar(&o.out, "out", ".", "")
	f.BoolVar(&o.events, "events", false, "")
	f.BoolVar(&o.version, "version", false, "")
	return f
}

// oneLine returns flag.ErrHelp unchanged, and any other error on one line that names -h.
func oneLine(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	return fmt.Errorf("%s; see glviewer -h", strings.ReplaceAll(err.Error(), "\n", " "))
}

func (o *options) check(size string) (err error) {
	if !slices.Contains(workload.Names(), o.workload) {
		return fmt.Errorf("-workload %q: there are %s", o.workload, strings.Join(workload.Names(), ", "))
	}
	if o.frames < 0 || o.hitch < 0 {
		return fmt.Errorf("-frames %d, -hitch %d: want 0 or more", o.frames, o.hitch)
	}
	if !(o.scale == 0 || o.scale >= 0.5 && o.scale <= 4) {
		return fmt.Errorf("-scale %g: want 0.5 to 4, or 0", o.scale)
	}
	if o.hidden && o.frames == 0 {
		return errors.New("-hidden needs -frames, the number of frames to run")
	}
	for _, address := range o.programs {
		if !remote.Is(address) {
			return fmt.Errorf("-connect %s: want host:port", address)
		}
	}
	for _, name := range o.files {
		if err := readable(name); err != nil {
			return err
		}
	}
	if err := cmp.Or(o.checkFonts(), o.checkFolders()); err != nil {
		return err
	}
	o.width, o.height, err = parseSize(size)
	return err
}

// readable returns an error if the capture cannot be read, before a window opens. It opens no pipe, which can be read
// only once.
func readable(name string) error {
	info, err := os.Stat(name)
	if isPipe := err == nil && !info.Mode().IsRegular() && !info.IsDir(); isPipe || name == "-" {
		return nil
	}
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("%s: %w; see glviewer -h", name, outfile.Cause(err))
	}
	return file.Close()
}

// checkFolders returns an error if a folder to write to does not exist. Without this check the error would come only at
// the end.
func (o *options) checkFolders() error {
	for _, f := range []struct{ flag, name, folder string }{
		{"report", o.report, filepath.Dir(o.report)},
		{"record", o.record, filepath.Dir(o.record)},
		{"screenshot", o.screenshot, filepath.Dir(o.screenshot)},
		{"out", o.out, o.out},
	} {
		if f.name == "" || f.flag == "report" && f.name == "-" {
			continue
		}
		if info, err := os.Stat(f.folder); err != nil || !info.IsDir() {
			return fmt.Errorf("-%s %s: there is no folder %s; make it first", f.flag, f.name, f.folder)
		}
	}
	return nil
}

// parseSize parses a size such as "1280x720".
func parseSize(s string) (width, height int, err error) {
	w, h, ok := strings.Cut(s, "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || min(width, height) < 64 || max(width, height) > 16384 {
		return 0, 0, fmt.Errorf("-size %s: want WIDTHxHEIGHT in pixels, 64 to 16384 each", s)
	}
	return width, height, nil
}
