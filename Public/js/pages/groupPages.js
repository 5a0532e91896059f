/**
 * Composes the pages of groups: creation, information, public rooms, invitations. `app.js` fetches it for their
 * addresses.
 */
import { Groups } from '../services/groupApi.js';
import { Upload } from '../services/upload.js';
import { loadStyles } from '../views/laterStyles.js';

/** @typedef {(address: string, options?: {replace?: boolean}) => void} Navigate */

/** Each method fetches the modules of its page and returns a function that makes it. */
export class GroupPages {
  #navigate;
  #limits;
  #services;

  /** @param {ReturnType<import('../services/client.js').createClient>} client @param {Navigate} navigate */
  constructor(client, navigate) {
    this.#navigate = navigate;
    const { api, outbox, store, clock, limits } = client;
    this.#limits = limits;
    const groups = new Groups(api, new Upload({ makeRequest: () => new XMLHttpRequest(), api }));
    this.#services = { api, groups, outbox, store, clock, origin: location.origin };
  }

  /** The services of the groups' view models. */
  get services() {
    return this.#services;
  }

  /**
   * @param {'info'|'rooms'|'create'|'invite'} page @param {string} [subject] the room's id, or the invitation's token
   * @returns {Promise<() => import('../views/shell.js').PaneView>}
   */
  load(page, subject) {
    const loads = {
      info: () => this.roomInfo(subject), rooms: () => this.publicRooms(), create: () => this.createGroup(),
      invite: () => this.invite(subject),
    };
    return loads[page]();
  }

  async createGroup() {
    const [{ CreateGroupView }, { CreateGroupViewModel }, { PeoplePickerViewModel }, { PictureViewModel },
      { readPicture }, { setLimits }] = await Promise.all([
      import('../views/groups/createGroup.js'),
      import('../viewmodels/groups/createGroupViewModel.js'),
      import('../viewmodels/groups/peoplePickerViewModel.js'),
      import('../viewmodels/pictureViewModel.js'),
      import('../views/pictureFile.js'),
      import('../models/limits.js'),
      loadStyles('page', 'forms', 'pictures', 'choices', 'peoplePicker'),
    ]);
    setLimits(this.#limits);
    return () => {
      const picker = new PeoplePickerViewModel(this.#services);
      const face = new PictureViewModel({ read: readPicture });
      const model = new CreateGroupViewModel(this.#services, picker, face);
      return new CreateGroupView(model, picker, face, this.#navigate);
    };
  }

  async roomInfo(roomId) {
    const [{ RoomInfoView }, { RoomInfoViewModel }, { MembersViewModel }, { PeoplePickerViewModel },
      { PictureViewModel }, { BansViewModel }, { InvitationsViewModel }, { RepositoryViewModel },
      { readPicture }] = await Promise.all([
      import('../views/groups/roomInfo.js'),
      import('../viewmodels/groups/roomInfoViewModel.js'),
      import('../viewmodels/groups/membersViewModel.js'),
      import('../viewmodels/groups/peoplePickerViewModel.js'),
      import('../viewmodels/pictureViewModel.js'),
      import('../viewmodels/groups/bansViewModel.js'),
      import('../viewmodels/groups/invitationsViewModel.js'),
      import('../viewmodels/groups/repositoryViewModel.js'),
      import('../views/pictureFile.js'),
      loadStyles(
        'page', 'forms', 'pictures', 'choices', 'peoplePicker', 'sections', 'menus', 'list', 'members', 'groups',
      ),
    ]);
    return () => {
      const info = new RoomInfoViewModel(roomId, this.#services);
      const members = new MembersViewModel(roomId, this.#services, () => info.role);
      const models = {
        info,
        members,
        picker: new PeoplePickerViewModel(this.#services, (userId) => members.has(userId)),
        bans: new BansViewModel(roomId, this.#services),
        invitations: new InvitationsViewModel(roomId, this.#services),
        repository: new RepositoryViewModel(roomId, this.#services),
        picture: new PictureViewModel({
          read: readPicture,
          store: (picture, options) => info.putPicture(picture, options),
          remove: () => info.removePicture(),
        }),
      };
      const openCard = async (user, place) => {
        const { makeCards } = await import('./personCards.js');
        return makeCards(this.#services, this.#navigate)(user, place);
      };
      const view = new RoomInfoView(models, this.#navigate, openCard);
      info.open();
      return view;
    };
  }

  async publicRooms() {
    const [{ PublicRoomsView }, { PublicRoomsViewModel }] = await Promise.all([
      import('../views/groups/publicRooms.js'),
      import('../viewmodels/groups/publicRoomsViewModel.js'),
      loadStyles('page', 'forms', 'rooms'),
    ]);
    return () => {
      const model = new PublicRoomsViewModel(this.#services);
      model.open();
      return new PublicRoomsView(model, this.#navigate);
    };
  }

  /** @param {string} token */
  async invite(token) {
    const [{ InviteView }, { InviteViewModel }, { takeAccepting }] = await Promise.all([
      import('../views/groups/inviteView.js'),
      import('../viewmodels/groups/inviteViewModel.js'),
      import('../views/groups/accepting.js'),
      loadStyles('signIn', 'page', 'forms', 'rooms'),
    ]);
    return () => {
      const model = new InviteViewModel(token, this.#services);
      const accepted = (roomId) => this.#navigate(roomId ? `/chats/${roomId}` : '/chats', { replace: true });
      const view = new InviteView(model, { signedIn: true, accepted });
      // An invitation accepted before signing in needs no second confirmation.
      const already = takeAccepting(token);
      model.open().then(() => already && !model.state.problem && !model.state.joined && view.accept());
      return view;
    };
  }
}
