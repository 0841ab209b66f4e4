// The functions of the WebAssembly module itself, for programs that load heapcheck.wasm in their own way, such as in a
// browser.
import type {Answer, HeapcheckError, Loss, Report, Source} from './index.mjs';

export {HeapcheckError};

export interface ModuleDump {
  readonly format: string;
  readonly title: string;
  readonly isCompressed: boolean;
  validate(options?: Record<string, unknown>): {heapcheck: string; files: Report[]};
  ask(question: string, options?: Record<string, unknown>): Answer;
  convert(to: string, options?: {allowLoss?: boolean; level?: number}): {bytes: Uint8Array | null; losses: Loss[]};
  recover(options?: {to?: string; allowLoss?: boolean; level?: number}):
      {bytes: Uint8Array | null; hasLost: boolean; losses: Loss[]};
  close(): void;
}

export interface Heapcheck {
  readonly version: string;
  open(source: Source | Uint8Array, options?: {name?: string; maxMemory?: number; maxExpanded?: number}): ModuleDump;
  /** If `isLastUse`, what was read from the dumps is freed early, and they can then only be closed. */
  ask(dumps: ModuleDump[], question: string, options?: Record<string, unknown>, isLastUse?: boolean): Answer;
  makePage(dumps: ModuleDump[]): string;
  questions(): Record<string, string[]>;
}

/** Starts heapcheck. `code` is a WebAssembly.Module or its bytes. */
export function startHeapcheck(code: WebAssembly.Module | BufferSource): Promise<Heapcheck>;
