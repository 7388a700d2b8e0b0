//go:build !unix

package sourceroot

const openFlags = 0
