package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/iprof/cmd/iprof-query/agent"
	"example.com/iprof/internal/version"
)

const mcpUsage = `usage: iprof mcp [flags] FOLDER ...

Answers agents about the captures in these folders, by the Model Context Protocol on standard input and output. It reads
no other file. A client starts it, such as:

  {"mcpServers": {"iprof": {"command": "iprof", "args": ["mcp", "captures"]}}}

Limits are those of one question. With -run, the tool run starts only the command after --, with these limits of time:

  iprof mcp -run captures -- iprof run -o captures/new.iprof ./cmd/game
`

// questionTime is the longest time of a question, unless -limits has another.
const questionTime = time.Minute

// mcp is the command mcp: a server of tools for agents.
func mcp(args []string) int {
	limits.Time = questionTime
	f := newFlags("mcp", mcpUsage)
	skill := f.Bool("skill", false, "print the order of questions for an agent, and end")
	runs := f.Bool("run", false, "add the tool run, which starts only the command after --")
	var command []string
	if at := slices.Index(args, "--"); at >= 0 {
		args, command = args[:at], args[at+1:]
	}
	folders, code := parse(f, args)
	switch {
	case code >= 0:
		return code
	case *skill:
		_, err := fmt.Print(agent.Skill)
		return status("mcp", err)
	case *runs != (len(command) > 0):
		return wrong("mcp: -run needs a command after --, and only -run has one: iprof mcp -run . -- go test ./physics")
	case len(folders) == 0:
		return wrong("mcp: name the folders with captures: iprof mcp .")
	}
	return status("mcp", serve(folders, command))
}

// serve answers until the client closes standard input.
func serve(folders, command []string) error {
	s, err := agent.New(agent.Options{Folders: folders, Limits: limits, Version: version.Line("iprof-query"),
		Command: command})
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return s.Run(ctx, &sdk.StdioTransport{})
}
