/* SPDX-License-Identifier: Apache-2.0 */
#include "millrace_testing.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the Swift runtime. */
extern char *swift_demangle(const char *name, size_t length, char *output, size_t *output_size, uint32_t flags);

#if defined(__linux__) && defined(__LP64__)

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The functions of the program itself. The dynamic linker knows those of libraries only. The file stays mapped. */
static struct {
    const char *base; /* where the program is in memory */
    uintptr_t offset; /* from the addresses in the file to those in memory */
    const char *file;
    size_t size;
    const Elf64_Sym *symbols;
    size_t count;
    const char *names;
    size_t names_size;
} program;

static bool is_inside(uint64_t offset, uint64_t size) {
    return offset <= program.size && size <= program.size - offset;
}

static void find_symbols(void) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)program.file;
    if (!is_inside(0, sizeof *header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shoff % 8 != 0 ||
        !is_inside(header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr))) {
        return;
    }
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(program.file + header->e_shoff);
    for (int index = 0; index < header->e_shnum; index++) {
        const Elf64_Shdr *table = &sections[index];
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum || table->sh_offset % 8 != 0) {
            continue;
        }
        const Elf64_Shdr *names = &sections[table->sh_link];
        if (!is_inside(table->sh_offset, table->sh_size) || !is_inside(names->sh_offset, names->sh_size) ||
            names->sh_size == 0 || program.file[names->sh_offset + names->sh_size - 1] != '\0') {
            continue;
        }
        program.offset = header->e_type == ET_DYN ? (uintptr_t)program.base : 0;
        program.names = program.file + names->sh_offset;
        program.names_size = names->sh_size;
        program.symbols = (const Elf64_Sym *)(program.file + table->sh_offset);
        program.count = table->sh_size / sizeof(Elf64_Sym);
    }
}

static void map_program(void) {
    Dl_info info;
    struct stat status;
    /* This function is a part of the program, unless the library was linked dynamically: then the dynamic linker knows. */
    if (dladdr((const void *)map_program, &info) == 0) {
        return;
    }
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) {
            program.base = info.dli_fbase;
            program.file = memory;
            program.size = (size_t)status.st_size;
            find_symbols();
        }
    }
    close(file);
}

static const char *name_in_program(const void *address) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, map_program);
    uintptr_t place = (uintptr_t)address - program.offset;
    for (size_t index = 0; index < program.count; index++) {
        const Elf64_Sym *symbol = &program.symbols[index];
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && place >= symbol->st_value &&
            place - symbol->st_value < symbol->st_size && symbol->st_name < program.names_size) {
            return program.names + symbol->st_name;
        }
    }
    return NULL;
}

static bool is_in_program(const Dl_info *info) {
    Dl_info own;
    return dladdr((const void *)map_program, &own) != 0 && own.dli_fbase == info->dli_fbase;
}

#else

static const char *name_in_program(const void *address) {
    (void)address;
    return NULL;
}

static bool is_in_program(const Dl_info *info) {
    (void)info;
    return false;
}

#endif

void millrace_frame_name(const void *address, char *text, int size) {
    Dl_info info;
    const char *name = NULL;
    /* A frame holds the address after the call, which may be that of the next function. */
    const char *call = (const char *)address - 1;
    if (dladdr(call, &info) != 0) {
        name = is_in_program(&info) ? name_in_program(call) : NULL;
        name = name ? name : info.dli_sname;
    }
    snprintf(text, (size_t)size, "%s", name ? name : "");
}

void millrace_readable_name(const char *name, char *text, int size) {
    char *readable = swift_demangle(name, strlen(name), NULL, NULL, 0);
    snprintf(text, (size_t)size, "%s", readable ? readable : name);
    free(readable);
}
