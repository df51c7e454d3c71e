package main

// mcp is the command mcp: a server of tools for agents.
func mcp(args []string) int { return planned("mcp")(args) }
