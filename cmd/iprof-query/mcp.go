package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/iprof/cmd/iprof-query/agent"
	"example.com/iprof/internal/version"
)

const mcpUsage = `usage: iprof mcp [flags] FOLDER ...

Answers agents about the captures in these folders, by the Model Context Protocol on standard input and output. It reads
no other file. A client starts it, such as:

  {"mcpServers": {"iprof": {"command": "iprof", "args": ["mcp", "captures"]}}}

Limits are those of one question.
`

// questionTime is the longest time of a question, unless -limits has another.
const questionTime = time.Minute

// mcp is the command mcp: a server of tools for agents.
func mcp(args []string) int {
	limits.Time = questionTime
	f := newFlags("mcp", mcpUsage)
	skill := f.Bool("skill", false, "print the order of questions for an agent, and end")
	folders, code := parse(f, args)
	switch {
	case code >= 0:
		return code
	case *skill:
		_, err := fmt.Print(agent.Skill)
		return status("mcp", err)
	case len(folders) == 0:
		return wrong("mcp: name the folders with captures: iprof mcp .")
	}
	return status("mcp", serve(folders))
}

// serve answers until the client closes standard input.
func serve(folders []string) error {
	s, err := agent.New(agent.Options{Folders: folders, Limits: limits, Version: version.Line("iprof-query")})
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return s.Run(ctx, &sdk.StdioTransport{})
}
