/** A logger whose fields become text when it writes its first line: most calls write one, or none at all. */
import type { LogFn } from 'pino';
import type { Logger } from './logger.ts';

type Level = 'debug' | 'info' | 'warn' | 'error' | 'fatal';
type Given = Parameters<LogFn>;

class CallLogger implements Logger {
  private readonly parent: Logger;
  private fields: object;
  private made: Logger | null = null;

  constructor(parent: Logger, fields: object) {
    this.parent = parent;
    this.fields = fields;
  }

  debug(...given: Given): void {
    this.write('debug', given);
  }

  info(...given: Given): void {
    this.write('info', given);
  }

  warn(...given: Given): void {
    this.write('warn', given);
  }

  error(...given: Given): void {
    this.write('error', given);
  }

  fatal(...given: Given): void {
    this.write('fatal', given);
  }

  isLevelEnabled(level: string): boolean {
    return this.parent.isLevelEnabled(level);
  }

  child(fields: object): Logger {
    return new CallLogger(this.parent, { ...this.fields, ...fields });
  }

  setBindings(fields: object): void {
    this.fields = { ...this.fields, ...fields };
    this.made?.setBindings(fields);
  }

  flush(told?: (error?: Error) => void): void {
    this.parent.flush(told);
  }

  private write(level: Level, given: Given): void {
    if (!this.parent.isLevelEnabled(level)) return;
    this.made ??= this.parent.child(this.fields);
    this.made[level](...given);
  }
}

/** A logger for one call, whose lines have these fields. */
export const callLogger = (parent: Logger, fields: object): Logger => new CallLogger(parent, fields);
