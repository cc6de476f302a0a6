// How fake drivers log their calls, in the file FALSE_GPU_LOG. FALSE_GPU_PARAMETERS are the bytes
// of a kernel's parameters.
#include <elf.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_line(const char* format, ...) {
  FILE* log = fopen(getenv("FALSE_GPU_LOG"), "a");
  va_list arguments;
  va_start(arguments, format);
  vfprintf(log, format, arguments);
  va_end(arguments);
  fputc('\n', log);
  fclose(log);
}

/// Writes code (an ELF file or text) into a separate file.
static void keep_image(const char* image) {
  size_t bytes = strlen(image);
  if (memcmp(image, ELFMAG, SELFMAG) == 0) {
    const Elf64_Ehdr* head = (const Elf64_Ehdr*)image;
    bytes = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize;
    const Elf64_Shdr* sections = (const Elf64_Shdr*)(image + head->e_shoff);
    for (int n = 0; n < head->e_shnum; ++n) {
      size_t end = sections[n].sh_offset + sections[n].sh_size;
      if (sections[n].sh_type != SHT_NOBITS && end > bytes) bytes = end;
    }
    size_t programs = head->e_phoff + (size_t)head->e_phnum * head->e_phentsize;
    if (programs > bytes) bytes = programs;
  }
  char name[4096];
  static int count = 0;
  snprintf(name, sizeof name, "%s.image%d", getenv("FALSE_GPU_LOG"), count++);
  FILE* file = fopen(name, "wb");
  fwrite(image, 1, bytes, file);
  fclose(file);
  write_line("load %s %d", name, (int)((uintptr_t)image % 64));
}

static void write_launch(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                         unsigned block_y, unsigned block_z, unsigned shared, void* stream,
                         void** parameters, void** extra) {
  char text[4096] = "", *end = text;
  char sizes[256];
  strcpy(sizes, getenv("FALSE_GPU_PARAMETERS"));
  for (char* size = strtok(sizes, ","); size != NULL; size = strtok(NULL, ",")) {
    const unsigned char* bytes = *parameters++;
    *end++ = ' ';
    for (int n = 0; n < atoi(size); ++n) end += sprintf(end, "%02x", bytes[n]);
  }
  write_line("launch %u,%u,%u %u,%u,%u %u %p %d%s", grid_x, grid_y, grid_z, block_x, block_y,
             block_z, shared, stream, extra == NULL, text);
}
