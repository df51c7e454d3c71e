package agent

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/printed"
)

// Skill teaches the order of questions. Clients get it when they connect.
//
//go:embed skill.md
var Skill string

// Options are the settings of a server.
type Options struct {
	Folders []string      // the only folders whose files are read
	Limits  budget.Budget // of each question: its Time is the longest that it may take
	Version string
	Command []string // what the tool run starts; without it there is no such tool
}

// Server answers the questions of agents about captures. One goroutine at a time computes an answer.
type Server struct {
	folders folders
	limits  budget.Budget
	command []string
	turn    chan struct{} // holds one value while no answer is computed
	open    []*capture    // the one that was asked last is the last
	mcp     *mcp.Server
}

// New returns a server. The error is of a folder that does not open. Close it at the end.
func New(o Options) (*Server, error) {
	list, err := openFolders(o.Folders)
	if err != nil {
		return nil, err
	}
	s := &Server{folders: list, limits: o.Limits, command: o.Command, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "iprof", Version: o.Version},
		&mcp.ServerOptions{Instructions: Skill, Capabilities: &mcp.ServerCapabilities{}})
	s.addTools()
	return s, nil
}

// Run answers over a transport until the client leaves or ctx is done.
func (s *Server) Run(ctx context.Context, t mcp.Transport) error { return s.mcp.Run(ctx, t) }

// Close closes all files. It waits for an answer in progress.
func (s *Server) Close() {
	<-s.turn
	for _, c := range s.open {
		c.close()
	}
	s.open = nil
	s.folders.close()
}

// addTools adds the tools. There are at most eight, and run if it is allowed: an agent reads all their descriptions.
func (s *Server) addTools() {
	add(s, "open", "Opens a capture of IProf, a profiler of frames, and says what it has: frames, budget, slowest "+
		"frames. Without a capture it lists the files that can be opened. Begin here.", s.openTool)
	add(s, "list", "Lists frames (the slowest first), zones, sections, locks (who waited, who released), calls, lanes "+
		"(goroutines), waits, memory, hot (lines by samples), forks, values or marks; most also as sums by something.",
		s.listTool)
	add(s, "top", "Lists the zones with the most time, with function, file and line; with by=path the call tree.",
		s.topTool)
	add(s, "why", "Says why frames were slow: the zones, waits or collector work that took longer than usual, with "+
		"function, file and line. Without frames: the slowest frame.", s.whyTool)
	add(s, "frame", "Shows one frame: its times, memory, waits, marks and call tree.", s.frameTool)
	add(s, "calls", "Without arguments: routes and other zones whose single calls are counted, with quantiles and "+
		"slow calls. With a zone: its callers, callees and slow calls. With a call: the parts of that slow call.",
		s.callsTool)
	add(s, "compare", "Compares a capture with a base: which zones became slower or faster beyond the noise, with "+
		"function, file and line.", s.compareTool)
	add(s, "sql", "Lists rows by a query in SQL over tables of a capture: frames, zones, paths, calls, lanes, states "+
		"and more. Without a query it lists the tables and their columns. For what no other tool answers.", s.sqlTool)
	if len(s.command) > 0 {
		add(s, runName, fmt.Sprintf("Starts %.200q, which the user has allowed, and no other command. It answers with "+
			"the end of the output after at most %v.", s.command, s.limits.Time), s.runTool)
	}
}

// add adds a tool whose questions have the arguments In.
func add[In any](s *Server, name, words string, ask func(ctx context.Context, in *In) (*answer, error)) {
	no := false
	tool := &mcp.Tool{Name: name, Description: words,
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: name != runName, OpenWorldHint: &no}}
	mcp.AddTool(s.mcp, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (r *mcp.CallToolResult, out any,
		err error) {
		r, err = s.ask(ctx, func(ctx context.Context) (*answer, error) { return ask(ctx, &in) })
		return r, nil, err
	})
}

// mostError is the greatest length of an error in bytes.
const mostError = 1500

// ask computes an answer. A question that takes too long gets an error, and its work goes on until its next read of a
// file. Later questions wait for it, as long as they may take themselves.
func (s *Server) ask(ctx context.Context, compute func(ctx context.Context) (*answer, error)) (*mcp.CallToolResult,
	error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.Time)
	defer cancel()
	select {
	case <-s.turn:
	case <-ctx.Done():
		return nil, errors.New("another question is still being answered; ask again later, or for fewer frames")
	}
	type outcome struct {
		result *mcp.CallToolResult
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		defer func() { s.turn <- struct{}{} }()
		r, err := s.safely(func() (*answer, error) { return compute(ctx) })
		done <- outcome{r, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			o.err = errors.New(cutBytes(string(printed.Of(o.err.Error())), mostError, false))
		}
		return o.result, o.err
	case <-ctx.Done():
		return nil, fmt.Errorf("it takes longer than %v; ask for fewer frames, or start iprof mcp with "+
			"-limits time=%v", s.limits.Time, 2*s.limits.Time)
	}
}

// safely computes an answer. A fault of ours is an error of this question only.
func (s *Server) safely(compute func() (*answer, error)) (r *mcp.CallToolResult, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			r, err = nil, fmt.Errorf("a fault of iprof: %v; ask in another way, and report it", fault)
		}
	}()
	a, err := compute()
	if failed := s.dropFailed(); failed != nil {
		return nil, failed
	}
	if err != nil {
		return nil, err
	}
	return a.result()
}

// dropFailed closes the captures of which a read has failed, and returns the error. Their sessions go on with what they
// have, so an answer would be of some of the frames only.
func (s *Server) dropFailed() (failed error) {
	s.open = slices.DeleteFunc(s.open, func(c *capture) bool {
		err := c.in.failed.Load()
		if err != nil {
			failed = fmt.Errorf("%s: %w", quoted(c.name), *err)
			c.close()
		}
		return err != nil
	})
	return failed
}

// errNoCapture is the error for a question before a capture is open.
var errNoCapture = errors.New("no capture is open: open without arguments lists them, open with a capture opens it")

// capture returns an open capture, and opens it if necessary. Without a name it is the one that was asked last.
func (s *Server) capture(name string) (*capture, error) {
	if name == "" {
		if len(s.open) == 0 {
			return nil, errNoCapture
		}
		name = s.open[len(s.open)-1].name
	}
	file, name, err := s.folders.file(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	at := slices.IndexFunc(s.open, func(c *capture) bool { return c.name == name })
	var c *capture
	if at >= 0 && s.open[at].same(info) {
		file.Close()
		c = s.open[at]
		c.in.begin()
	} else if c, err = openCapture(file, name, s.limits); err != nil {
		return nil, explained(err)
	}
	c.stat = info
	if at >= 0 {
		if s.open[at] != c {
			s.open[at].close()
		}
		s.open = slices.Delete(s.open, at, at+1)
	}
	if s.open = append(s.open, c); len(s.open) > mostOpen {
		s.open[0].close()
		s.open = slices.Delete(s.open, 0, 1)
	}
	return c, nil
}

// explained adds the next step to an error of opening a file.
func explained(err error) error {
	if err == nil {
		return nil
	}
	var newer *framefile.NewerError
	var budget *budget.Error
	switch {
	case errors.Is(err, framefile.ErrNotACapture):
		return fmt.Errorf("%w; open without a capture lists others", err)
	case errors.As(err, &newer), errors.As(err, &budget):
		return err // it has its own
	}
	return fmt.Errorf("%w; if the file is damaged, record it again; open without a capture lists others", err)
}

// same reports whether a file is still the one that was opened.
func (c *capture) same(info os.FileInfo) bool {
	return os.SameFile(c.stat, info) && c.stat.Size() == info.Size() && c.stat.ModTime().Equal(info.ModTime())
}
