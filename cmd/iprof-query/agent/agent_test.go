package agent_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
