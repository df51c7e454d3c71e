// Package planted is a game with a planted hitch of each kind, in simulated time, for tests of what explains slow
// frames: the window, the page, and the answers to agents.
//
//	frame, err := planted.Play(file, &planted.Hitches[0], false)
package planted
