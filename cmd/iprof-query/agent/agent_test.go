package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/iprof/cmd/iprof-query/agent"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/must"
)

// client asks a server over the protocol, in memory, by the client of the SDK.
type client struct {
	t       testing.TB
	server  *agent.Server
	session *mcp.ClientSession
	asked   int
}

// connect starts a server for some folders, and a client of it.
func connect(t *testing.T, limits budget.Budget, folders ...string) *client {
	t.Helper()
	s := must.Get(agent.New(agent.Options{Folders: folders, Limits: limits, Version: "test"}))(t)
	t.Cleanup(s.Close)
	return connectTo(t, s)
}

// connectTo starts a client of a server.
func connectTo(t testing.TB, s *agent.Server) *client {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	here, there := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, there) }()
	session := must.Get(mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(ctx, here, nil))(t)
	t.Cleanup(func() {
		session.Close()
		cancel()
		<-ended
	})
	return &client{t: t, server: s, session: session}
}

// arguments are the arguments of a question.
type arguments = map[string]any

// call asks, and returns the text of the answer and a picture. failed reports an error. No answer is as long as 4 kB.
func (c *client) call(tool string, a arguments) (text string, png []byte, failed bool) {
	c.t.Helper()
	c.asked++
	r, err := c.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: a})
	must.Do(c.t, err)
	for _, part := range r.Content {
		switch part := part.(type) {
		case *mcp.TextContent:
			text += part.Text
		case *mcp.ImageContent:
			png = part.Data
		}
	}
	if len(text) > 4096 || r.StructuredContent != nil {
		c.t.Errorf("%s: got %d bytes, %v; want less than 4 kB, once", tool, len(text), r.StructuredContent)
	}
	return text, png, r.IsError
}

// ask is call for a question that has an answer in JSON.
func (c *client) ask(tool string, a arguments) string {
	c.t.Helper()
	text, _, failed := c.call(tool, a)
	if failed || !json.Valid([]byte(text)) {
		c.t.Fatalf("%s: got %s; want an answer", tool, text)
	}
	if !strings.Contains(text, `"names":"fields ending in _name`) {
		c.t.Errorf("%s: got %s; want a word on names", tool, text)
	}
	return text
}

// fails is call for a question that has none. It returns the error.
func (c *client) fails(tool string, a arguments) string {
	c.t.Helper()
	text, _, failed := c.call(tool, a)
	if !failed {
		c.t.Errorf("%s: got %s; want an error", tool, text)
	}
	return text
}

// has checks that a text has words.
func has(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("got %s\nwant %q", text, w)
		}
	}
}

// create makes a file in a folder, and writes it.
func create(t *testing.T, dir, name string, write func(file *os.File)) string {
	t.Helper()
	path := filepath.Join(dir, name)
	file := must.Get(os.Create(path))(t)
	write(file)
	must.Do(t, file.Close())
	return path
}

// The tool run is there only if a command was given. It starts that command and no other, and shows the end of what
// that says, as data.
func TestRunStartsOnlyItsCommand(t *testing.T) {
	dir := t.TempDir()
	limits := budget.Usual
	limits.Time = time.Minute
	none := connect(t, limits, dir)
	question := &mcp.CallToolParams{Name: "run", Arguments: arguments{}}
	if _, err := none.session.CallTool(t.Context(), question); err == nil {
		t.Error("without a command: got an answer; want an error")
	}
	at := func(args ...string) *client {
		s := must.Get(agent.New(agent.Options{Folders: []string{dir}, Limits: limits, Command: args}))(t)
		t.Cleanup(s.Close)
		return connectTo(t, s)
	}
	t.Setenv(asCommand, "1")
	program := must.Get(os.Executable())(t)
	c := at(program, "hello", "3")
	has(t, c.ask("run", arguments{}), `"exit_status":3`, `hello \\x1b[31m end\\x0a"`, `"output_bytes_left_out":`)
	if text, _, failed := c.call("run", arguments{"command": "ls"}); !failed {
		t.Errorf("another command: got %s; want an error", text)
	}
	limits.Time = 100 * time.Millisecond
	if text := at(program, "sleep", "0").fails("run", arguments{}); !strings.Contains(text, "takes longer than 100ms") {
		t.Errorf("a command that goes on: got %s", text)
	}
}

// asCommand makes this program the command of a test: it prints much, and ends with a status.
const asCommand = "IPROF_AGENT_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) == "" {
		os.Exit(m.Run())
	}
	if os.Args[1] == "sleep" {
		time.Sleep(time.Minute)
	}
	fmt.Print(strings.Repeat("much ", 1000), "hello \x1b[31m ", "end\n")
	status, _ := strconv.Atoi(os.Args[2])
	os.Exit(status)
}
