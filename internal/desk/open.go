package desk

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/moment"
	"example.com/iprof/internal/printed"
	"example.com/iprof/internal/progress"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// The least number of newest frames to read before a capture is shown: a second or more. The older frames follow. A
// browser takes several times as long for each frame.
const (
	firstFrames        = 2000
	firstFramesBrowser = 64
)

// Open reads the newest frames of a capture into a tab, then the older ones in the background. It pauses the session,
// so the window sleeps until the next event. The file of a black box opens at the frame that triggered it. A name with
// "#" and a link opens at the moment of the link.
func (d *Desk) Open(t *Tab, path string) error {
	path, link := moment.Split(path)
	return d.open(t, path, link)
}

// open is Open of a path that has no link.
func (d *Desk) open(t *Tab, path, link string) error {
	t.wanted = link
	if m, err := moment.Parse(link); err == nil {
		t.set = m.Set
	}
	file, err := t.openFile(path, d.reading(path))
	if err != nil {
		return err
	}
	first := firstFrames
	switch {
	case d.options.Whole: // the flags ask for reports on all frames
		first = math.MaxInt
	case d.options.Browser:
		first = firstFramesBrowser
	}
	t.session.SetHistoryLimits(framefile.WholeHistory())
	contents, all, err := framefile.LoadNewest(t.session, file, first)
	if err != nil {
		t.closeRead(file)
		return fmt.Errorf("%s: %w", path, err)
	}
	again := importer.Reopens(path)
	if full, err := filepath.Abs(path); err == nil && again {
		path = full
	}
	t.path = path
	name := importer.Name(path)
	if t.set != "" {
		name += " · " + t.set
	}
	d.call(t, name, path)
	if again && t.set == "" {
		d.comment(t)
	}
	if !d.options.Whole {
		t.session.Pause()
		t.panel.Change(func(o *viewer.Options) { o.Finished = true })
		if again {
			remember(path)
		}
	}
	t.explains = link == "" && !d.options.Whole
	if all {
		t.closeRead(file)
		t.describe(contents)
		t.explain(contents)
		t.panel.Loaded()
		d.showSets(t, contents.Sets)
		return nil
	}
	t.loading(contents.Program, 0)
	t.explain(contents)
	go t.rest(file, contents.Program, d.host.Wake)
	return nil
}

// reading returns a function that shows the progress through a large file of another tool, in the window's title and on
// a terminal.
func (d *Desk) reading(path string) progress.Func {
	say := progress.Terminal(d.options.Viewer)
	return func(percent int) {
		if say != nil {
			say(percent)
		}
		d.host.Title(fmt.Sprintf("IProf · reading %s, %d %%", filepath.Base(path), percent))
	}
}

// loading shows in the header the progress of reading older frames.
func (t *Tab) loading(program string, percent int) {
	t.panel.Change(func(o *viewer.Options) {
		o.Title, o.Loading = program+" · reading older frames", true
		if percent > 0 {
			o.Title += fmt.Sprintf(", %d %%", percent)
		}
	})
}

// rest reads all frames of a capture, and replaces the newest with them. It leaves the file open if the history does
// not hold all frames.
func (t *Tab) rest(file *os.File, program string, wake func()) {
	keep := false
	defer func() {
		if !keep {
			t.closeRead(file)
		}
		t.panel.Change(func(o *viewer.Options) { o.Title = program })
		t.panel.Loaded()
		wake()
	}()
	whole := process.NewSession()
	whole.SetHistoryLimits(framefile.WholeHistory())
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.panel.Note("older frames are not read: " + err.Error())
		return
	}
	read := progress.Reader(file, func(percent int) {
		t.loading(program, percent)
		wake()
	})
	contents, err := framefile.Load(whole, &untilClosed{read, t.closed})
	if err != nil {
		t.panel.Note("older frames are not read: " + err.Error())
		return
	}
	if info, e := file.Stat(); e == nil {
		reached, e := framefile.Reach(whole, file, info.Size())
		if e != nil {
			t.panel.Note("older frames are not read: " + e.Error())
		} else if keep = reached; reached {
			t.reached.Store(file)
		}
	}
	t.session.Adopt(whole)
	t.describe(contents)
	t.whole.Store(contents)
}

// untilClosed reads a file until its tab is closed.
type untilClosed struct {
	file   io.Reader
	closed chan struct{}
}

func (u *untilClosed) Read(p []byte) (int, error) {
	select {
	case <-u.closed:
		return 0, os.ErrClosed
	default:
		return u.file.Read(p)
	}
}

// explain shows why a frame was slow: the frame that triggered a black box, else the slowest, until the user has gone
// elsewhere. A link leads to its own frame.
func (t *Tab) explain(contents *framefile.Contents) {
	view := t.session.View()
	if t.explained == nil {
		t.explains = t.explains && view.Get().Age == 0
	} else if view.Info().Index != t.explained.Index || !t.panel.State().Answer {
		t.explains = false
	}
	if !t.explains {
		return
	}
	var v report.Verdict
	if contents.HasFrame {
		v.Index = contents.Frame
	} else if view.Info().Kind == report.KindServer {
		t.explainCall()
		return
	} else if !view.Info().Kind.HasFrames() || !t.session.VerdictOnSlowest(&v) || !v.Over && v.Excess < v.Usual/2 {
		return
	}
	if t.explained != nil {
		if t.explained.Index == v.Index {
			return
		}
		t.panel.Run("why") // ends it
	}
	if view.ShowFrame(v.Index) && view.Verdict(&v) {
		t.explained = &v
		t.panel.Run("why")
	}
}

// explainCall shows the slow call of a server.
func (t *Tab) explainCall() {
	var now report.Report
	t.session.View().AppendReport(&now)
	if call := now.SlowCall(); call != nil && t.explained == nil {
		t.explained = &report.Verdict{Index: call.Frame}
		t.panel.Run("slow-call")
	}
}

// describe shows the kind of a capture and its missing parts.
func (t *Tab) describe(contents *framefile.Contents) {
	stderr := printed.To(os.Stderr)
	for _, damage := range contents.Damages {
		stderr.Printf("%s: %s: %v\n", t.viewer, t.path, damage)
	}
	if contents.Lost > 0 {
		stderr.Printf("%s: %s: the program dropped %s, as its disk was too slow\n",
			t.viewer, t.path, printed.Count(contents.Lost, "frame"))
	}
	t.panel.Change(func(o *viewer.Options) { o.Title = contents.Program })
}

// saveCapture writes all frames since the window opened, or the capture that the tab shows.
func (t *Tab) saveCapture(to io.Writer) error {
	if t.imported != nil {
		info, err := t.imported.Stat()
		if err != nil {
			return err
		}
		_, err = io.Copy(to, io.NewSectionReader(t.imported, 0, info.Size()))
		return err
	}
	if t.path != "" {
		file, err := os.Open(t.path)
		if err != nil {
			return err
		}
		defer file.Close()
		_, err = io.Copy(to, file)
		return err
	}
	if t.link != nil {
		return t.link.kept.Load().save(to)
	}
	return t.keeper.save(to)
}

// Close ends the connections and the reading of all tabs.
func (d *Desk) Close() {
	for _, t := range d.tabs {
		t.close()
	}
}
