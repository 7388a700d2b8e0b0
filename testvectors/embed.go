package testvectors

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"
)

// The released files but the one that is made of others. Their bytes are what MANIFEST.json says.
//
//go:embed v1/*.json v1/bytes v1/schema
var embedded embed.FS

// FS returns the embedded folder of released cases, as Export writes it.
func FS() fs.FS {
	sub, err := fs.Sub(embedded, "v1")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return releasedFS{sub}
}

// releasedAll is the file of all cases. The other files hold its cases, so it is made of them and not embedded beside them.
var releasedAll = sync.OnceValues(func() ([]byte, error) {
	files, err := Released()
	if err != nil {
		return nil, err
	}
	return allLines(files), nil
})

// A releasedFS is the embedded folder with the file of all cases in it.
type releasedFS struct{ fs.FS }

// Open implements fs.FS.
func (f releasedFS) Open(name string) (fs.File, error) {
	switch name {
	case ".":
		file, err := f.FS.Open(name)
		if err != nil {
			return nil, err
		}
		list, err := f.ReadDir(name)
		return &rootFolder{file, list}, err
	case allName:
	default:
		return f.FS.Open(name)
	}
	text, err := f.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &allFile{Reader: bytes.NewReader(text)}, nil
}

// ReadFile implements fs.ReadFileFS.
func (f releasedFS) ReadFile(name string) ([]byte, error) {
	if name != allName {
		return fs.ReadFile(f.FS, name)
	}
	text, err := releasedAll()
	return slices.Clone(text), err
}

// ReadDir implements fs.ReadDirFS.
func (f releasedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.FS, name)
	if err != nil || name != "." {
		return list, err
	}
	info, err := fs.Stat(f, allName)
	if err != nil {
		return nil, err
	}
	entry := fs.FileInfoToDirEntry(info)
	at, _ := slices.BinarySearchFunc(list, entry, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return slices.Insert(list, at, entry), nil
}

// A rootFolder is the folder, opened, and what is yet to be read of it.
type rootFolder struct {
	fs.File
	rest []fs.DirEntry
}

// ReadDir implements fs.ReadDirFile.
func (f *rootFolder) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 || n > len(f.rest) {
		if n > 0 && len(f.rest) == 0 {
			return nil, io.EOF
		}
		n = len(f.rest)
	}
	var list []fs.DirEntry
	list, f.rest = f.rest[:n], f.rest[n:]
	return list, nil
}

// An allFile is the file of all cases, opened.
type allFile struct{ *bytes.Reader }

// Stat implements fs.File.
func (f *allFile) Stat() (fs.FileInfo, error) { return allInfo{f.Reader.Size()}, nil }

// Close implements fs.File.
func (f *allFile) Close() error { return nil }

// An allInfo is the fs.FileInfo of the file of all cases.
type allInfo struct{ size int64 }

func (i allInfo) Name() string       { return allName }
func (i allInfo) Size() int64        { return i.size }
func (i allInfo) Mode() fs.FileMode  { return 0o444 }
func (i allInfo) ModTime() time.Time { return time.Time{} }
func (i allInfo) IsDir() bool        { return false }
func (i allInfo) Sys() any           { return nil }

// Released returns the released cases that are embedded, class by class.
func Released() ([]*File, error) { return Load(FS()) }

// Load reads the files of cases of a folder. A class without a file is missing; a folder without any is an error.
func Load(folder fs.FS) ([]*File, error) {
	var files []*File
	for _, name := range Classes() {
		text, err := fs.ReadFile(folder, name+".json")
		if err != nil {
			return nil, fmt.Errorf("testvectors: %w", err)
		}
		f, err := ParseFile(text)
		if err != nil {
			return nil, fmt.Errorf("%s.json: %w", name, err)
		}
		if f.Name != name {
			return nil, fmt.Errorf("testvectors: %s.json holds the class %.40q", name, f.Name)
		}
		files = append(files, f)
	}
	return files, nil
}
