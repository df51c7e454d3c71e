package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/editor"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/moment"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/remote"
	server "example.com/iprof/internal/serve"
	"example.com/iprof/internal/web"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	code "example.com/iprof/source"
)

const viewMore = `
If there is a display, and glviewer is installed beside iprof or in PATH, iprof view opens a window of glviewer.
Otherwise it opens the viewer in the browser. It ends when the window, or the last page, is closed.

A name may end with a link to a moment:
iprof view 'game.iprof#frame=140&zone=updateWorld'. Alt+U in the viewer copies one.
`

const serveMore = `
iprof serve prints the address of the viewer's page and serves the page until it is interrupted. The address contains a
token; requests without it are refused. A release contains the viewer for the browser. Other builds of iprof build it
with Go for the first page, print the progress, and keep it in the cache. Without Go, iprof serves static pages.
`

// view is the command view. It shows captures and remote programs in the window of glviewer or in the browser.
func view(args []string) int {
	f := newFlags("view")
	var roots []string
	f.Func("source", "show and open the sources below `DIR`; may be given several times", func(folder string) error {
		roots = append(roots, folder)
		return nil
	})
	browser := f.Bool("browser", false, "use the browser even if glviewer is installed; -sample implies this")
	window := f.Bool("window", false, "use the window of glviewer, or fail")
	if err := parseFlags(f, args); err != nil {
		return usageStatus(err)
	}
	if f.NArg() == 0 || *browser && *window {
		stderr.Println("usage: iprof view [-browser|-window] [-source DIR] CAPTURE|HOST:PORT ...")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	go sayUnreachable(ctx, f.Args())
	viewer, err := findViewer()
	if *window && err != nil {
		return fail(err)
	}
	if *window || !*browser && sample == "" && err == nil && hasDisplay() {
		return status(windowOf(viewer, roots, f.Args()).Run())
	}
	w := inBrowser{names: f.Args(), roots: roots, address: "127.0.0.1:0", open: true}
	return status(w.show(ctx, stdout))
}

// sayUnreachable prints why programs cannot be watched. The viewer says so, too, and tries again.
func sayUnreachable(ctx context.Context, names []string) {
	for _, name := range names {
		name, _ = moment.Split(name)
		if !remote.Is(name) {
			continue
		}
		p, err := elsewhere(name)
		if err != nil {
			continue // the viewer refuses it
		}
		if stream, err := p.Live(ctx); err == nil {
			stream.Close()
		} else if ctx.Err() == nil {
			stderr.Println("iprof:", err)
		}
	}
}

// windowOf returns the command that shows captures and programs in glviewer's window.
func windowOf(viewer string, roots, names []string) *exec.Cmd {
	var flags, files []string
	for _, root := range roots {
		flags = append(flags, "-source", root)
	}
	for _, name := range names {
		if file, _ := moment.Split(name); remote.Is(file) {
			flags = append(flags, "-connect", name)
		} else {
			files = append(files, name)
		}
	}
	cmd := exec.Command(viewer, append(flags, files...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd
}

// hasDisplay reports whether a window can open.
func hasDisplay() bool {
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin" || os.Getenv("DISPLAY") != "" ||
		os.Getenv("WAYLAND_DISPLAY") != ""
}

// inBrowser shows captures and remote programs in the browser.
type inBrowser struct {
	names   []string
	roots   []string // folders of sources
	address string   // to listen on
	token   string   // of the programs; "": from the environment
	open    bool     // open the browser, and end with its last page
	asJSON  bool
}

// show serves until the context is done. If it has opened the browser, it also ends when the page is closed.
func (b *inBrowser) show(ctx context.Context, out io.Writer) error {
	items, err := b.items()
	if err != nil {
		return err
	}
	var s *web.Server
	build, err := viewerBuilder(func(line string) { s.Say(line) })
	if err != nil {
		stderr.Printf("iprof: static pages in place of the viewer: %v\n", err)
		return serveTo(ctx, out, b.address, b.names[0], b.asJSON)
	}
	l, err := server.Listen(b.address)
	if err != nil {
		return err
	}
	s = web.New(items, build)
	b.giveSources(s)
	where := s.Address(l)
	if _, link := moment.Split(b.names[0]); link != "" {
		where += "#" + link
	}
	if err := sayPage(out, l, where, b.names[0], b.asJSON); err != nil {
		l.Close()
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if b.open {
		if err := openBrowser(where); err != nil {
			stderr.Printf("iprof: no browser could be opened (%v): open the address above in one\n", err)
		}
		go func() {
			s.Left(ctx)
			stop()
		}()
	}
	return s.Serve(ctx, l)
}

// items returns the captures and programs for the page. Files must exist.
func (b *inBrowser) items() (items []web.Item, err error) {
	for _, name := range b.names {
		name, _ = moment.Split(name)
		lasting := name
		if !b.open {
			lasting = "" // the page's own address lasts as long
		}
		if !remote.Is(name) {
			file, _, err := importer.Open(name, importer.Frames{Limits: limits, Sample: sample})
			if err != nil {
				return nil, err
			}
			if _, _, err := framefile.LoadNewest(process.NewSession(), file, 1); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			items = append(items, web.Item{Name: importer.Name(name), File: file, Lasting: lasting})
			continue
		}
		p, err := elsewhere(name)
		if b.token != "" && err == nil {
			p, err = remote.New(name, b.token)
		}
		if err != nil {
			return nil, err
		}
		items = append(items, web.Item{Name: p.Address, Address: name, Program: peer{p}, Lasting: lasting})
	}
	return items, nil
}

// peer adapts a remote program to package web.
type peer struct{ *remote.Program }

func (p peer) Live(ctx context.Context) (io.ReadCloser, error) { return p.Program.Live(ctx) }

// giveSources lets the page show and open the sources below the folders.
func (b *inBrowser) giveSources(s *web.Server) {
	var roots []string
	for _, root := range b.roots {
		if full, err := filepath.Abs(root); err == nil {
			roots = append(roots, full)
		}
	}
	if len(roots) == 0 {
		return
	}
	reader := code.NewReader(time.Time{}, roots...)
	s.Code = func(zone gather.ZoneInfo) *report.Code {
		for range 200 {
			if c := reader.Code(zone); c != nil {
				return c
			}
			time.Sleep(10 * time.Millisecond)
		}
		return &report.Code{Function: report.FunctionName(zone.Function), Why: "its file is not read"}
	}
	s.Edit = func(file string, line int) error {
		if !code.Local(file, roots...) {
			return errors.New("iprof view -source DIR opens the sources below a folder")
		}
		return editor.Open(file, line)
	}
}

// carriedViewer is the viewer for the browser embedded in a release, else nil.
var carriedViewer *web.Viewer

// viewerBuilder returns a function that finds or builds the viewer for the browser, or an error that tells why it
// cannot. The build says how far it is to the terminal and to say.
func viewerBuilder(say func(string)) (func(context.Context) (*web.Viewer, error), error) {
	if carriedViewer != nil {
		return func(context.Context) (*web.Viewer, error) { return carriedViewer, nil }, nil
	}
	if _, err := exec.LookPath("go"); err != nil {
		return nil, errors.New("this build of iprof has no viewer, and Go, which could build it, is not in PATH")
	}
	dir, err := (&instrument.Options{Sources: sources}).ProfilerDir()
	if err != nil {
		return nil, err
	}
	cache, err := outfile.Cache()
	if err != nil {
		stderr.Printf("iprof: the viewer is not cached: %v\n", err)
	}
	b := &web.Builder{Module: dir, Cache: cache,
		Say: func(line string) {
			stderr.Printf("iprof: %s\n", line)
			say(line)
		}}
	if len(sources) > 0 {
		b.Digest = fmt.Sprintf("%x", sha256.Sum256(sources))
	}
	return b.Viewer, nil
}

// openBrowser opens the user's browser.
func openBrowser(address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	case "darwin":
		name = "open"
	}
	return exec.Command(name, args...).Start()
}
