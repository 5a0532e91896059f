// What the browsers that Hubbub supports have, and TypeScript 4.8's library does not know yet.

interface ReadonlyArray<T> {
  findLast<S extends T>(predicate: (value: T, index: number) => value is S): S | undefined;
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
  findLastIndex(predicate: (value: T, index: number) => unknown): number;
  toReversed(): T[];
  toSorted(compare?: (one: T, other: T) => number): T[];
  with(index: number, value: T): T[];
}
interface Array<T> {
  findLast<S extends T>(predicate: (value: T, index: number) => value is S): S | undefined;
  findLast(predicate: (value: T, index: number) => unknown): T | undefined;
  findLastIndex(predicate: (value: T, index: number) => unknown): number;
  toReversed(): T[];
  toSorted(compare?: (one: T, other: T) => number): T[];
  with(index: number, value: T): T[];
}
// Every element that the app looks for by a selector is one of HTML.
interface Element {
  click(): void;
  focus(options?: FocusOptions): void;
  checkVisibility(): boolean;
}
interface EventTarget {
  readonly localName?: string;
}
interface MouseEvent {
  readonly pointerType: string;
}
interface HTMLElement {
  showPopover(options?: { source?: HTMLElement }): void;
  hidePopover(): void;
  togglePopover(force?: boolean): boolean;
}
interface ToggleEvent extends Event {
  readonly newState: 'open' | 'closed';
  readonly oldState: 'open' | 'closed';
}
interface IntersectionObserverInit {
  scrollMargin?: string;
}
interface Navigator {
  setAppBadge(count?: number): Promise<void>;
  clearAppBadge(): Promise<void>;
}
interface Document {
  startViewTransition(update: () => unknown): {
    finished: Promise<void>; ready: Promise<void>; updateCallbackDone: Promise<void>; skipTransition(): void;
  };
}
interface CSSStyleDeclaration {
  interpolateSize: string;
}
declare class TrustedScriptURL {}
interface Window {
  trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): {
    createScriptURL(url: string): TrustedScriptURL;
  } };
}

// CSS Custom Highlight API.
declare class Highlight extends Set<Range> {}
declare namespace CSS {
  const highlights: Map<string, Highlight>|undefined;
}
