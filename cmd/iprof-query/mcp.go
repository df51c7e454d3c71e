package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"example.com/iprof/cmd/iprof-query/agent"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/version"
)

// questionTime is the longest time of a question, unless -limits has another.
const questionTime = time.Minute

// mcp is the command mcp: a server of tools for agents, on standard input and output.
func mcp(args []string) int {
	limits := budget.Usual
	limits.Time = questionTime
	f := flag.NewFlagSet("iprof mcp", flag.ContinueOnError)
	f.Var(&limits, "limits", "raise limits of each question: `LIMIT=N,...`, such as memory=1GB,time=5m")
	skill := f.Bool("skill", false, "print the order of questions for an agent, and end")
	f.Usage = func() {
		fmt.Fprintln(f.Output(), "usage: iprof mcp [flags] FOLDER ...: answers agents about the captures in these "+
			"folders, by the Model Context Protocol on standard input and output")
		f.PrintDefaults()
	}
	if err := f.Parse(args); err == flag.ErrHelp {
		return 0
	} else if err != nil {
		return 2
	}
	if *skill {
		fmt.Print(agent.Skill)
		return 0
	}
	if f.NArg() == 0 {
		f.Usage()
		return 2
	}
	if err := serve(f.Args(), limits); err != nil {
		fmt.Fprintln(os.Stderr, "iprof mcp:", err)
		return 1
	}
	return 0
}

// serve answers until the client closes standard input.
func serve(folders []string, limits budget.Budget) error {
	s, err := agent.New(agent.Options{Folders: folders, Limits: limits, Version: version.Line("iprof-query")})
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return s.Run(ctx, &sdk.StdioTransport{})
}
