package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"os"
	"os/signal"
	"time"

	"example.com/iprof/console"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/progress"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/scratch"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// lookedAt is the number of seconds that a command records of a remote program. It is a variable for tests.
var lookedAt = 5

// source opens a capture: a file, also of another tool or a pipe, or the next seconds of the program at an address.
func source(name string) (io.ReadCloser, error) {
	if !remote.Is(name) {
		file, err := openFile(name)
		if err != nil {
			return nil, err
		}
		return imported(name, file)
	}
	p, err := elsewhere(name)
	if err != nil {
		return nil, err
	}
	stderr.Printf("iprof: %d seconds of %s\n", lookedAt, p.Address)
	return p.Capture(context.Background(), lookedAt)
}

// openFile opens a file. Each call reads a pipe anew.
func openFile(name string) (*os.File, error) {
	file, err := importer.OpenFile(name, limits)
	if errors.Is(err, fs.ErrNotExist) && (name == "localhost" || net.ParseIP(name) != nil) {
		err = fmt.Errorf("%w; the address of a program has a port, as in %s", err, net.JoinHostPort(name, "6061"))
	}
	return file, err
}

// imported returns an open file as a capture. It says what an import has changed.
func imported(name string, file *os.File) (*os.File, error) {
	frames := importer.Frames{Limits: limits, Sample: sample, Progress: progress.Terminal("iprof")}
	file, result, err := importer.Opened(file, name, frames)
	sayImported(name, result)
	if err == nil && set != "" {
		return ofSet(name, file)
	}
	return file, err
}

// opened is a capture that a command shows.
type opened struct {
	tables.Capture
	in io.Closer // of File and whole

	whole    io.Reader // of openTwice
	unjudged bool      // the session has the newest frames, and there are no sums

	name string // as the user gave it
	pick selection
}

// close closes the file.
func (c *opened) close() {
	if c.in != nil {
		c.in.Close()
	}
}

// open reads a capture from a source into a session. It prints damages.
func open(name string) (*opened, error) {
	in, err := source(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return load(name, in)
}

// openAll is open for commands that show any frame: the session reads frames outside its history on demand.
func openAll(name string) (*opened, error) {
	in, err := source(name)
	if err != nil {
		return nil, err
	}
	c, err := load(name, in)
	file, isFile := in.(*os.File)
	if err != nil || !isFile {
		in.Close()
		return c, err
	}
	info, err := file.Stat()
	reaches := false
	if err == nil {
		reaches, err = framefile.Reach(c.Session, limits.File().ReaderAt(file), info.Size())
	}
	if !reaches {
		in.Close()
	}
	return c, err
}

// load reads a capture into a session.
func load(name string, in io.Reader) (*opened, error) {
	s := process.NewSession()
	s.SetHistoryLimits(framefile.WholeHistory())
	c, err := framefile.Load(s, limits.File().Reader(progress.Reader(in, progress.Terminal("iprof"))))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	sayDamages(c)
	if c.Frames == 0 && remote.Is(name) {
		p, err := elsewhere(name)
		if err != nil {
			return nil, err
		}
		return nil, atRest(name, p, time.Duration(lookedAt)*time.Second)
	}
	return &opened{Capture: tables.Capture{Contents: c, Session: s}, name: name}, nil
}

// atRest is the error for a remote program that ended no frame in this time. It names the page that has the totals.
func atRest(name string, p *remote.Program, in time.Duration) error {
	return fmt.Errorf("%s sent no frame: none ended in %v; the program is idle, or its frames are longer; "+
		"%s has its totals so far", name, in.Round(time.Second), p.URL("tree"))
}

func sayDamages(c *framefile.Contents) {
	for _, damage := range c.Damages {
		stderr.Println("iprof:", damage)
	}
}

// longFile is the least size of a long file in bytes. Of a long file, a command that shows averages reads only the
// newest frames into a session, and sums all frames. It is a variable for tests.
var longFile = int64(4 << 20)

// openNewest is open for commands that show averages over all frames. The session holds only the newest frames of a
// long file. A black box's file has a frame to show, so openNewest reads it whole.
func openNewest(name string) (*opened, error) {
	in, err := source(name)
	if err != nil {
		return nil, err
	}
	return newestOf(name, in)
}

// newestOf is openNewest for an open source, which it takes over.
func newestOf(name string, in io.ReadCloser) (*opened, error) {
	file, isFile := in.(*os.File)
	if !isFile {
		defer in.Close()
		return load(name, in)
	}
	c, err := newestIn(name, file)
	if err != nil || c.File == nil {
		in.Close()
		return c, err
	}
	c.in = in
	return c, nil
}

// newestIn is newestOf for a file, which it leaves open.
func newestIn(name string, file *os.File) (*opened, error) {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < longFile {
		return load(name, file)
	}
	s := process.NewSession()
	s.SetHistoryLimits(framefile.WholeHistory())
	f, sums, c, err := framefile.NewestOf(s, limits.File().ReaderAt(file), info.Size(), tables.NewestFrames)
	if err == nil && c.HasFrame && f != nil {
		return load(name, file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	sayDamages(c)
	return &opened{Capture: tables.Capture{Contents: c, Session: s, File: f, Sums: sums}, name: name}, nil
}

// openTwice returns openNewest for commands that then read the capture again, frame by frame. Of a long file whose
// frames are not judged, it sums none.
func openTwice(judged bool) read {
	return func(name string) (*opened, error) {
		in, err := source(name)
		if err != nil {
			return nil, err
		}
		file, err := spooled(in)
		if err != nil {
			return nil, err
		}
		var c *opened
		if !judged {
			c = unjudged(name, file)
		}
		if c == nil {
			c, err = newestIn(name, file)
		}
		if err != nil {
			file.Close()
			return nil, err
		}
		c.in, c.whole = file, io.NewSectionReader(file, 0, math.MaxInt64)
		return c, nil
	}
}

// unjudged is newestIn without the sums of all frames. It returns nil for a file that is not long, or is damaged.
func unjudged(name string, file *os.File) *opened {
	info, err := file.Stat()
	if err != nil || info.Size() < longFile {
		return nil
	}
	f, err := framefile.OpenFile(limits.File().ReaderAt(file), info.Size())
	if err != nil {
		return nil
	}
	s := process.NewSession()
	c, err := f.Load(s, f.Frames()-min(f.Frames(), tables.NewestFrames), f.Frames())
	if err != nil || !c.Complete {
		return nil
	}
	c.Frames = f.Frames()
	return &opened{Capture: tables.Capture{Contents: c, Session: s}, name: name, unjudged: true}
}

// spooled returns a source as a file that can be read twice. It takes the source over.
func spooled(in io.ReadCloser) (*os.File, error) {
	if file, isFile := in.(*os.File); isFile {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			return file, nil
		}
	}
	defer in.Close()
	file, err := scratch.New()
	if err != nil {
		return nil, err
	}
	if _, err = io.Copy(file, limits.File().Reader(in)); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// mostWait is the longest time to wait for the first frame of a remote program.
const mostWait = 15 * time.Second

// onLine are the arguments of the command.
var onLine []string

// elsewhere returns the program at an address. The token is no flag, because other users see command lines.
func elsewhere(address string) (*remote.Program, error) {
	tokens, err := remote.ParseTokens(os.Getenv("IPROF_TOKEN"), onLine)
	if err != nil {
		return nil, err
	}
	p, err := tokens.Program(withSet(address))
	if err == nil {
		p.Limits = limits
	}
	return p, err
}

// record is the command record. It writes the frames of a remote program to a new file.
func record(args []string) int {
	f := newFlags("record")
	output := f.String("o", "", "write to the new `FILE`")
	length := f.Duration("for", 10*time.Second, "record for `DURATION`")
	asJSON := f.Bool("json", false, "describe the written file in a JSON object")
	address, err := addressIn(f, args)
	if err != nil {
		return usageStatus(err)
	}
	if *length < time.Second {
		stderr.Println("iprof record: -for is at least 1s")
		return 2
	}
	p, err := elsewhere(address)
	if err != nil {
		return fail(err)
	}
	if *output == "" {
		*output = time.Now().Format("iprof-20060102-150405.iprof")
	}
	begun := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), *length)
	defer cancel()
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	frames, err := recordTo(ctx, p, *output)
	if err == nil && frames == 0 {
		err = fmt.Errorf("%s is not written: %w", *output, atRest(address, p, min(time.Since(begun), *length)))
	}
	if err != nil {
		return fail(err)
	}
	if *asJSON {
		return status(written{File: *output, Frames: frames}.print(stdout))
	}
	stdout.Println(*output)
	return 0
}

// recordTo writes the live stream to a new file until ctx is done. A file without a frame would stop the next start,
// so it does not stay.
func recordTo(ctx context.Context, p *remote.Program, path string) (frames uint64, err error) {
	stream, err := p.Live(ctx)
	if err != nil {
		return 0, err
	}
	defer stream.Close()
	file, err := outfile.New(path)
	if err != nil {
		return 0, err
	}
	if frames, err = framefile.Copy(file, stream); ctx.Err() != nil {
		err = nil // ended as requested
	}
	if frames == 0 {
		outfile.Abandon(file)
		return 0, err
	}
	return frames, errors.Join(err, file.Close())
}

// live is the command live: the terminal page of a remote program.
func live(args []string) int {
	f := newFlags("live")
	asJSON := f.Bool("json", false, "write a line of JSON for each frame, until the program ends")
	address, err := addressIn(f, args)
	if err != nil {
		return usageStatus(err)
	}
	p, err := elsewhere(address)
	if err != nil {
		return fail(err)
	}
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	s, first := process.NewSession(), make(chan follow.State, 1)
	go p.Follow(ctx, s, func(state follow.State) {
		select {
		case first <- state:
		default:
			if !state.Connected && *asJSON {
				leave() // the program has ended
			}
		}
	})
	select {
	case state := <-first:
		if !state.Connected {
			return fail(state.Err)
		}
	case <-time.After(min(mostWait, limits.Time)):
		return fail(atRest(address, p, min(mostWait, limits.Time)))
	}
	if *asJSON {
		return status(writeFrames(ctx, os.Stdout, s))
	}
	return status(console.Terminal(ctx, s, os.Stdin, os.Stdout))
}

// lookEach is how often writeFrames looks for new frames.
const lookEach = 100 * time.Millisecond

// writeFrames writes the frames of a session as lines of JSON while they end, until ctx is done. A late frame has its
// verdict. Frames that have left the history before they were written are counted in the next line.
func writeFrames(ctx context.Context, w io.Writer, s *process.Session) error {
	each := time.NewTicker(lookEach)
	defer each.Stop()
	next, begun := uint64(0), false
	var list []report.FrameSummary
	for {
		list = s.AppendFrames(list[:0], math.MaxInt)
		for i := range list {
			f := &list[i]
			if begun && f.Index < next {
				continue
			}
			line := asjson.File{Frames: f.Index + 1, History: []asjson.Frame{asjson.FrameOf(*f)}}
			if begun {
				line.Missed = f.Index - next
			}
			var v report.Verdict
			if f.Over && s.VerdictOf(&v, len(list)-1-i) {
				line.Verdict = asjson.VerdictOf(&v, s.Zone)
			}
			if err := asjson.WriteLine(w, &line); err != nil {
				return err
			}
			next, begun = f.Index+1, true
		}
		select {
		case <-ctx.Done():
			return nil
		case <-each.C:
		}
	}
}

// addressIn parses the flags and returns the one argument.
func addressIn(f *flag.FlagSet, args []string) (address string, err error) {
	err = parseFlags(f, args)
	if err == nil && f.NArg() != 1 {
		err = errOneAddress
		stderr.Printf("iprof %s: %v; iprof help %[1]s has its flags\n", f.Name(), err)
	}
	return f.Arg(0), err
}

// errOneAddress is the error for a missing address.
var errOneAddress = errors.New("name one program, as HOST:PORT")
