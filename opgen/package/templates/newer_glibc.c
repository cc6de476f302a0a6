/* Symbols that the headers and the libstdc++.a of newer systems require, and that glibc 2.28 lacks.

   A library uses a symbol only if some code in the library needs it. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

/* 2.32: whether the process has a single thread. 0 (it may have more) is always correct. */
char __libc_single_threaded = 0;

/* 2.30: waits until a time of any clock. Older versions only support CLOCK_REALTIME. */
static struct timespec by_date(clockid_t clock, const struct timespec *until) {
  struct timespec now, date, found = *until;
  if (clock == CLOCK_REALTIME) return found;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &date);
  found.tv_sec += date.tv_sec - now.tv_sec;
  found.tv_nsec += date.tv_nsec - now.tv_nsec;
  for (; found.tv_nsec < 0; --found.tv_sec) found.tv_nsec += 1000000000;
  for (; found.tv_nsec >= 1000000000; ++found.tv_sec) found.tv_nsec -= 1000000000;
  return found;
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  const struct timespec date = by_date(clock, until);
  return pthread_cond_timedwait(condition, mutex, &date);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  const struct timespec date = by_date(clock, until);
  return pthread_mutex_timedlock(mutex, &date);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                               const struct timespec *until) {
  const struct timespec date = by_date(clock, until);
  return pthread_rwlock_timedrdlock(lock, &date);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                               const struct timespec *until) {
  const struct timespec date = by_date(clock, until);
  return pthread_rwlock_timedwrlock(lock, &date);
}

/* 2.33: older headers have these as inline functions, which passed the version of the struct. */
#if defined(__x86_64__)
enum { stat_version = 1 };
#else
enum { stat_version = 0 };
#endif
int __xstat(int, const char *, struct stat *);
int __lxstat(int, const char *, struct stat *);
int __fxstat(int, int, struct stat *);
int __fxstatat(int, int, const char *, struct stat *, int);
int stat(const char *path, struct stat *found) { return __xstat(stat_version, path, found); }
int lstat(const char *path, struct stat *found) { return __lxstat(stat_version, path, found); }
int fstat(int file, struct stat *found) { return __fxstat(stat_version, file, found); }
int fstatat(int folder, const char *path, struct stat *found, int flags) {
  return __fxstatat(stat_version, folder, path, found, flags);
}

/* 2.36 */
uint32_t arc4random(void) {
  uint32_t found = 0;
  while (getrandom(&found, sizeof found, 0) != sizeof found && errno == EINTR) {
  }
  return found;
}

/* 2.38: the same functions, with C23 number syntax (0b101). They are declared by their names in the
   library, since the header may map these functions to the newer names. */
#define NUMBER(type, name)                               \
  type old_##name(const char *, char **, int) asm(#name); \
  type __isoc23_##name(const char *text, char **end, int base) { return old_##name(text, end, base); }
NUMBER(long, strtol)
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)
