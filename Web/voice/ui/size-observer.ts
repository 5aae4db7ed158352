/** Tells elements when their size changes. */

/** One ResizeObserver for many elements: a conversation may show hundreds of waveforms. */
export class SizeObserver {
  readonly #callbacks = new WeakMap<Element, (box: DOMRectReadOnly) => void>();
  readonly #observer = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) this.#callbacks.get(target)?.(contentRect);
  });

  /** Calls `changed` with the content box of `element`, now and after each change. */
  observe(element: Element, changed: (box: DOMRectReadOnly) => void): void {
    this.#callbacks.set(element, changed);
    this.#observer.observe(element);
  }

  /** Ends that. */
  unobserve(element: Element): void {
    this.#callbacks.delete(element);
    this.#observer.unobserve(element);
  }
}
