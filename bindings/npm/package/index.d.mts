/// <reference lib="dom" />
// What heapcheck's functions take and return. The answers are described in more detail by the JSON schemas at
// https://github.com/a-seed-5c248345/heapcheck, in spec/.

/** An input that reads itself. `read` fills the front of `buffer` with the bytes from `offset` on, and returns their
 * number, at least 1. It cannot wait for a promise. */
export interface Source {
  size: number;
  read(offset: number, buffer: Uint8Array): number;
  close?(): void;
}

/** A path, whose file is read piece by piece; bytes; a stream or a blob, which is kept in memory; or a source. */
export type Input = string | URL | Uint8Array | ArrayBuffer | ArrayBufferView | Source | Blob |
    ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export type ErrorKind =
    'unreadable' | 'unknown_format' | 'unsupported' | 'damaged' | 'limit' | 'timeout' | 'unwritable';

/** An error of heapcheck. `kind` is for programs, and `message` for humans. */
export class HeapcheckError extends Error {
  constructor(kind: ErrorKind, message: string);
  readonly kind: ErrorKind;
}

export interface OpenOptions {
  /** The name of the dump in reports and answers; by default, its path or `dump`. */
  name?: string;
  /** The maximum memory for the data of the dump, in bytes. A dump that needs more is undecided. */
  maxMemory?: number;
  /** The maximum decompressed size of one compressed block, in bytes. A dump with a larger one is undecided. */
  maxExpanded?: number;
}

export interface ValidateOptions {
  /** A program whose additional requirements are checked as well, such as `devtools`. */
  reader?: string;
  /** Patterns for the ids of the rules to report, such as `mvm3.toc`; all by default. */
  select?: string[];
  /** Patterns for the ids of rules not to report. */
  ignore?: string[];
  /** Severities that replace those of the rules: `{'mvm3.*': 'warning'}` or `['mvm3.*=warning']`. */
  severity?: Record<string, 'error' | 'warning' | 'note' | 'off'> | string[];
  /** Findings of this severity and below are ignored. */
  hide?: 'note' | 'warning';
  /** The number of findings to describe for each rule; the others are counted. 20 by default. */
  maxPerRule?: number;
}

export interface Location {
  offset: number;
  length: number;
  content_offset?: number;
  content_length?: number;
  path?: string;
}

export interface Finding {
  id: string;
  severity: 'error' | 'warning' | 'note';
  stage: 'read' | 'check' | 'limit';
  message: string;
  location: Location;
  related?: {location: Location; message: string}[];
}

/** The report on one dump: the members of `files` in spec/report.schema.json. */
export interface Report {
  path: string;
  for?: string;
  format: string | null;
  verdict: 'valid' | 'not valid' | 'not well-formed' | 'undecided' | 'unreadable';
  well_formed: boolean;
  counts: {error: number; warning: number; note: number; limit: number; ignored: number};
  findings: Finding[];
  more: {id: string; count: number}[];
  skipped: {path: string; reason: string}[];
  /** Why the input could not be read. */
  error?: string;
}

/** The answer to a question: facts, and rows under a name that depends on the question. spec/answers/ describes all. */
export type Answer = Record<string, unknown>;
export type OptionValue = boolean | number | string | string[];
/** The options of a question, with the names of the command's options, such as `{limit: 10}`. */
export type QuestionOptions = Record<string, OptionValue>;

export interface Loss {
  what: string;
  count: number;
  reason: string;
}
export interface Amount {
  what: string;
  count: number;
  /** Whether there may be more. */
  is_least: boolean;
}

export interface Written {
  /** The output; null if nothing was written, because something would be lost or nothing is left. */
  stream: ReadableStream<Uint8Array> | null;
  /** What the target cannot represent. */
  losses: Loss[];
}
export interface Converted extends Written {
  /** The contents of the input. */
  amounts: Amount[];
}
export interface Recovered extends Written {
  /** The format that was written. */
  format: string;
  /** Whether anything was dropped or changed. */
  hasLost: boolean;
  kept: Amount[];
  dropped: Amount[];
  droppedParts: {kind: string; index?: number; name: string; reason: string}[];
  /** The number of dropped parts that `droppedParts` does not list. */
  moreDroppedParts: number;
  changes: {what: string; amounts: Amount[]}[];
  notes: string[];
  /** The numbers of findings in the input. */
  counts: {error: number; warning: number; note: number};
  /** The first error in the input or, if there is none, the first warning. */
  firstFinding?: {id: string; severity: 'error' | 'warning'; offset: number; message: string};
  /** The summary that the command prints. If nothing was written, its first line says why. */
  text: string;
}

export interface ConvertOptions {
  /** Whether to write the output even if the target cannot represent everything. */
  allowLoss?: boolean;
  /** The compression level, 1 to 19, for formats that use zstd; 9 by default. */
  level?: number;
}
export interface RecoverOptions extends ConvertOptions {
  /** For MoarVM dumps: the version to write, such as `mvmheap-v3`. */
  to?: string;
}

/** An open dump. Its functions throw a HeapcheckError if they fail. */
export class Dump {
  private constructor();
  /** The format, such as `heapsnapshot`. */
  readonly format: string;
  readonly title: string;
  validate(options?: ValidateOptions): Report;
  ask(question: string, options?: QuestionOptions): Answer;
  /** The dump in another format of its family, such as `mvmheap-v3`. */
  convert(to: string, options?: ConvertOptions): Converted;
  /** The intact parts of a damaged dump. */
  recover(options?: RecoverOptions): Recovered;
  /** The page of `heapcheck report` about the dump: one HTML document. */
  makePage(): string;
  /** Releases the memory of the dump. */
  close(): void;
}

/** Opens a dump of any format. Throws a HeapcheckError if it cannot be read or its format is unknown. */
export function open(input: Input, options?: OpenOptions): Promise<Dump>;
/** Checks a dump. If it cannot be read, its verdict is `unreadable`. */
export function validate(input: Input, options?: OpenOptions & ValidateOptions): Promise<Report>;
/** Answers a question about one dump, or about several, oldest first. Open dumps may be among them. */
export function ask(inputs: Input | Dump | (Input | Dump)[], question: string, options?: QuestionOptions):
    Promise<Answer>;
/** The page of `heapcheck report` about one dump, or about several, oldest first. */
export function makePage(inputs: Input | Dump | (Input | Dump)[]): Promise<string>;
/** The names of all questions, each with the names of its options. */
export function questions(): Promise<Record<string, string[]>>;
/** The version of heapcheck. */
export const version: string;
