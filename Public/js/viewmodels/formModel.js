import { problemText } from '../models/format.js';
import { Observable } from '../models/observableArray.js';

const NOTHING_WRONG = Object.freeze({});

/** @typedef {object} Fields texts by the names of fields */

/**
 * @typedef {object} FormState
 * @property {Fields} values
 * @property {Fields} fieldErrors by field
 * @property {string|null} formError about the whole form
 * @property {boolean} busy while it is being sent
 */

/**
 * A form: its values, their errors, and the request.
 * @extends {Observable<any>}
 */
export class FormModel extends Observable {
  /** @param {Fields} values @param {object} [others] further members of the state */
  constructor(values, others) {
    super({ values: Object.freeze(values), fieldErrors: NOTHING_WRONG, formError: null, busy: false, ...others });
  }

  /** A field changed: clears its error. @param {string} field @param {string} value */
  set(field, value) {
    const { [field]: _gone, ...fieldErrors } = this.state.fieldErrors;
    const values = Object.freeze({ ...this.state.values, [field]: value });
    this.update({ values, fieldErrors: Object.freeze(fieldErrors), formError: null });
  }

  /** Replaces the values and clears all errors. @param {Fields} values */
  reset(values) {
    this.update({ values: Object.freeze(values), fieldErrors: NOTHING_WRONG, formError: null });
  }

  /**
   * Sends the form, unless it has errors or is being sent.
   * @param {Fields} fieldErrors errors by field
   * @param {() => Promise<unknown>} send
   * @param {(error: import('../services/api.js').ApiError) => object} explain members of the state for a failure
   * @returns {Promise<boolean>} whether it was sent; never rejects
   */
  async submitting(fieldErrors, send, explain) {
    if (this.state.busy) return false;
    this.update({ fieldErrors: Object.freeze(fieldErrors), formError: null });
    if (Object.keys(fieldErrors).length > 0) return false;
    this.update({ busy: true });
    try {
      await send();
      return true;
    } catch (error) {
      this.update(explain(error));
      return false;
    } finally {
      this.update({ busy: false });
    }
  }
}

/**
 * The errors of a failed request: of fields if the server named them, else of the whole form.
 * @param {{kind: string}} error
 * @param {Fields} fieldErrors of the server, by field
 * @param {string|null} [text] about the whole
 */
export function problemOf(error, fieldErrors, text = null) {
  const isNamed = Object.keys(fieldErrors).length > 0;
  return { fieldErrors: Object.freeze(fieldErrors), formError: isNamed ? null : text ?? problemText(error) };
}
