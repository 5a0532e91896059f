/** Short synthesised tones. Browsers allow sound only after a user gesture. */
const SHORTEST_PAUSE = 1000;
/** Frequencies in hertz, played in order. */
const TONES = { sending: [620, 830], receiving: [784, 587] };
const LENGTH = 0.09;
const LOUDNESS = 0.08;

export class Sounds {
  #makeContext;
  #clock;
  #context = /** @type {AudioContext|null} */ (null);
  #last = -Infinity;

  /**
   * @param {object} services
   * @param {(() => AudioContext)|null} services.makeContext null where there is no sound
   * @param {import('../viewmodels/types.js').Clock} services.clock
   */
  constructor({ makeContext, clock }) {
    this.#makeContext = makeContext;
    this.#clock = clock;
  }

  /** A user gesture: sound is possible from now on. */
  unlock() {
    if (!this.#makeContext || this.#context) return;
    this.#context = this.#makeContext();
  }

  /** At most one a second. @param {'sending'|'receiving'} name @returns {boolean} whether it sounds */
  play(name) {
    const now = this.#clock.now();
    const context = this.#context;
    if (!context || now - this.#last < SHORTEST_PAUSE) return false;
    this.#last = now;
    if (context.state === 'suspended') context.resume();
    TONES[name].forEach((frequency, index) => this.#tone(context, frequency, context.currentTime + index * LENGTH));
    return true;
  }

  #tone(context, frequency, start) {
    const [oscillator, gain] = [context.createOscillator(), context.createGain()];
    oscillator.frequency.value = frequency;
    // Fades in and out, to avoid clicks.
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + LENGTH);
  }
}
