/** Short tones, made here (T2). Browsers let a page sound only after somebody has pressed something in it. */
const SHORTEST_PAUSE = 1000;
/** Frequencies in hertz, one after the other. */
const TONES = { sending: [620, 830], receiving: [784, 587] };
const LENGTH = 0.09;
const LOUDNESS = 0.08;

export class Sounds {
  #makeContext;
  #clock;
  #context = null;
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

  /** Somebody has pressed something: from now on there can be sound. */
  unlock() {
    if (!this.#makeContext || this.#context) return;
    this.#context = this.#makeContext();
  }

  /** At most one a second. @param {'sending'|'receiving'} name @returns {boolean} whether it sounds */
  play(name) {
    const now = this.#clock.now();
    if (!this.#context || now - this.#last < SHORTEST_PAUSE) return false;
    this.#last = now;
    if (this.#context.state === 'suspended') this.#context.resume();
    TONES[name].forEach((frequency, index) => this.#tone(frequency, this.#context.currentTime + index * LENGTH));
    return true;
  }

  #tone(frequency, start) {
    const context = this.#context;
    const [oscillator, gain] = [context.createOscillator(), context.createGain()];
    oscillator.frequency.value = frequency;
    // It swells and fades, or it would click.
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(LOUDNESS, start + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + LENGTH);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + LENGTH);
  }
}
