// Package agent answers the questions of agents about captures, as a server of the Model Context Protocol. Answers are
// ranked, cut with counts, and shorter than 4 kB; they have ids that the next question takes. Names of the measured
// program are data in them: escaped, quoted, and in fields of their own.
//
//	s, err := agent.New(agent.Options{Folders: []string{"."}, Limits: budget.Usual})
//	if err == nil {
//		defer s.Close()
//		err = s.Run(ctx, &mcp.StdioTransport{})
//	}
//
// A question is a tool of Server: it chooses a capture, which captures.go opens and keeps, and frames and rows of it
// with pick.go. It returns an answer: answer.go writes it. folders.go opens files, and only those in the folders given
// at the start.
package agent
