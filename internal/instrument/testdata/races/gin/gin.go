// Package gin stands for the router of that name.
package gin

// Context is a request.
type Context struct{ Request Request }

// Request has the method.
type Request struct{ Method string }

// FullPath is the route.
func (c *Context) FullPath() string { return "/route" }
