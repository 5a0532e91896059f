const NAME = 'hubbub-typed-address';

/**
 * The email address typed at sign-in goes along to sign-up, and back: in this tab alone, never in an address, and no
 * longer than until it is taken.
 */
export class TypedAddress {
  #window;
  #ended = false;

  /** @param {typeof globalThis} window */
  constructor(window) {
    this.#window = window;
  }

  /** @returns {string} what was typed on the page before, once */
  take() {
    try {
      const { sessionStorage } = this.#window;
      const email = sessionStorage.getItem(NAME) ?? '';
      sessionStorage.removeItem(NAME);
      return email;
    } catch {
      // This browser keeps nothing for pages.
      return '';
    }
  }

  /**
   * Hands over when the page is left, also to a page that the browser has kept whole.
   * @param {() => string} email @param {(email: string) => void} show
   */
  goAlong(email, show) {
    this.#window.addEventListener('pagehide', () => {
      if (this.#ended || email().trim() === '') return;
      try {
        this.#window.sessionStorage.setItem(NAME, email().trim());
      } catch {
        // It has to be typed again.
      }
    });
    this.#window.addEventListener('pageshow', (event) => {
      // On the way back, a browser fills the fields of a new page with what they held before, and says nothing of it.
      const typed = event.persisted ? this.take() : email();
      if (typed) show(typed);
    });
  }

  /** Somebody has signed in: nothing is handed over any more. */
  end() {
    this.#ended = true;
    this.take();
  }
}
