/** The most common emoji with GitHub's shortcodes, in the order of the picker. */

/** One entry for each group. Items are separated by commas, an emoji and its names by spaces. */
const TABLE = [
  // smileys
  '😀 grinning,😃 smiley,😄 smile,😁 grin,😆 laughing satisfied,😅 sweat_smile,🤣 rofl,😂 joy,' +
  '🙂 slightly_smiling_face,🙃 upside_down_face,😉 wink,😊 blush,😇 innocent,🥰 smiling_face_with_three_hearts,' +
  '😍 heart_eyes,🤩 star_struck,😘 kissing_heart,😋 yum,😛 stuck_out_tongue,😜 stuck_out_tongue_winking_eye,' +
  '🤪 zany_face,😝 stuck_out_tongue_closed_eyes,🤑 money_mouth_face,🤗 hugs,🤭 hand_over_mouth,🤫 shushing_face,' +
  '🤔 thinking,🤐 zipper_mouth_face,🤨 raised_eyebrow,😐 neutral_face,😑 expressionless,😶 no_mouth,😏 smirk,' +
  '😒 unamused,🙄 roll_eyes,😬 grimacing,🤥 lying_face,😌 relieved,😔 pensive,😪 sleepy,🤤 drooling_face,' +
  '😴 sleeping,😷 mask,🤒 face_with_thermometer,🤕 face_with_head_bandage,🤢 nauseated_face,🤮 vomiting_face,' +
  '🤧 sneezing_face,🥵 hot_face,🥶 cold_face,🥴 woozy_face,😵 dizzy_face,🤯 exploding_head,🤠 cowboy_hat_face,' +
  '🥳 partying_face,😎 sunglasses,🤓 nerd_face,🧐 monocle_face,😕 confused,😟 worried,🙁 slightly_frowning_face,' +
  '☹️ frowning_face,😮 open_mouth,😯 hushed,😲 astonished,😳 flushed,🥺 pleading_face,😦 frowning,😧 anguished,' +
  '😨 fearful,😰 cold_sweat,😥 disappointed_relieved,😢 cry,😭 sob,😱 scream,😖 confounded,😣 persevere,' +
  '😞 disappointed,😓 sweat,😩 weary,😫 tired_face,🥱 yawning_face,😤 triumph,😡 rage pout,😠 angry,🤬 cursing_face,' +
  '😈 smiling_imp,👿 imp,💀 skull,💩 hankey poop,🤡 clown_face,👻 ghost,👽 alien,👾 space_invader,🤖 robot,' +
  '😺 smiley_cat,😹 joy_cat,😻 heart_eyes_cat,🙀 scream_cat,🙈 see_no_evil,🙉 hear_no_evil,🙊 speak_no_evil',
  // hearts
  '💋 kiss,💌 love_letter,💘 cupid,💖 sparkling_heart,💗 heartpulse,💕 two_hearts,❣️ heavy_heart_exclamation,' +
  '💔 broken_heart,❤️ heart,🧡 orange_heart,💛 yellow_heart,💚 green_heart,💙 blue_heart,💜 purple_heart,' +
  '🤎 brown_heart,🖤 black_heart,🤍 white_heart,💯 100,💢 anger,💥 boom collision,💫 dizzy,💦 sweat_drops,💨 dash,' +
  '💣 bomb,💬 speech_balloon,💭 thought_balloon,💤 zzz',
  // people
  '👋 wave,🖐️ raised_hand_with_fingers_splayed,✋ hand raised_hand,🖖 vulcan_salute,👌 ok_hand,✌️ v,' +
  '🤞 crossed_fingers,🤟 love_you_gesture,🤘 metal,🤙 call_me_hand,👈 point_left,👉 point_right,👆 point_up_2,' +
  '👇 point_down,☝️ point_up,👍 +1 thumbsup,👎 -1 thumbsdown,✊ fist raised_fist,' +
  '👊 fist_oncoming facepunch punch,👏 clap,🙌 raised_hands,👐 open_hands,🤲 palms_up_together,🤝 handshake,' +
  '🙏 pray,✍️ writing_hand,💅 nail_care,🤳 selfie,💪 muscle,🧠 brain,👀 eyes,👁️ eye,👅 tongue,👶 baby,🧑 adult,' +
  '👩 woman,👨 man,🤦 facepalm,🤷 shrug,🙋 raising_hand,🙇 bow,💁 information_desk_person,🙅 no_good,🙆 ok_woman,' +
  '👮 police_officer cop,🕵️ detective,👷 construction_worker,🧙 mage,🧟 zombie,🏃 running runner,💃 dancer,' +
  '🕺 man_dancing,👥 busts_in_silhouette,👤 bust_in_silhouette,👣 footprints,🧑‍💻 technologist,' +
  '👩‍💻 woman_technologist,👨‍💻 man_technologist',
  // nature
  '🐵 monkey_face,🐶 dog,🐺 wolf,🦊 fox_face,🐱 cat,🦁 lion,🐯 tiger,🐴 horse,🦄 unicorn,🐮 cow,🐷 pig,🐭 mouse,' +
  '🐹 hamster,🐰 rabbit,🐻 bear,🐼 panda_face,🐨 koala,🐔 chicken,🐧 penguin,🐦 bird,🦆 duck,🦉 owl,🐸 frog,🐢 turtle,' +
  '🐍 snake,🐙 octopus,🐳 whale,🐬 dolphin,🐟 fish,🦈 shark,🐌 snail,🦋 butterfly,🐛 bug,🐜 ant,🐝 bee honeybee,' +
  '🐞 lady_beetle,🕷️ spider,🦀 crab,💐 bouquet,🌸 cherry_blossom,🌹 rose,🌻 sunflower,🌱 seedling,' +
  '🌲 evergreen_tree,🌴 palm_tree,🌵 cactus,🍀 four_leaf_clover,🍁 maple_leaf,🍂 fallen_leaf,🌍 earth_africa,' +
  '🌕 full_moon,🌙 crescent_moon,☀️ sunny,⭐ star,🌟 star2,✨ sparkles,⚡ zap,☁️ cloud,🌧️ cloud_with_rain,' +
  '❄️ snowflake,☃️ snowman_with_snow,🔥 fire,💧 droplet,🌊 ocean,🌈 rainbow,☔ umbrella',
  // food
  '🍎 apple,🍊 tangerine orange,🍋 lemon,🍌 banana,🍉 watermelon,🍇 grapes,🍓 strawberry,🍒 cherries,🍑 peach,' +
  '🍍 pineapple,🥑 avocado,🍅 tomato,🥕 carrot,🌽 corn,🍞 bread,🧀 cheese,🥚 egg,🥓 bacon,🍔 hamburger,🍟 fries,' +
  '🍕 pizza,🌭 hotdog,🌮 taco,🍜 ramen,🍣 sushi,🍦 icecream,🍩 doughnut,🍪 cookie,🎂 birthday,🍰 cake,' +
  '🍫 chocolate_bar,🍬 candy,🍿 popcorn,☕ coffee,🍵 tea,🍺 beer,🍻 beers,🥂 clinking_glasses,🍷 wine_glass,' +
  '🍸 cocktail,🥃 tumbler_glass,🍾 champagne',
  // activity
  '🎉 tada,🎊 confetti_ball,🎈 balloon,🎁 gift,🎄 christmas_tree,🎃 jack_o_lantern,🎆 fireworks,🏆 trophy,' +
  '🏅 medal_sports,🥇 1st_place_medal,🥈 2nd_place_medal,🥉 3rd_place_medal,⚽ soccer,🏀 basketball,🏈 football,' +
  '🎾 tennis,🎳 bowling,🎯 dart,🎮 video_game,🎲 game_die,♟️ chess_pawn,🎨 art,🎬 clapper,🎤 microphone,' +
  '🎧 headphones,🎵 musical_note,🎶 notes,🎸 guitar,🎹 musical_keyboard,🥁 drum,🎻 violin',
  // travel
  '🚗 car,🚕 taxi,🚌 bus,🚲 bike,🚂 steam_locomotive,✈️ airplane,🚀 rocket,🛸 flying_saucer,🚢 ship,' +
  '⛵ boat sailboat,⚓ anchor,🚧 construction,🚨 rotating_light,🚦 vertical_traffic_light,🏠 house,🏢 office,' +
  '🏥 hospital,🏖️ beach_umbrella,🏔️ mountain_snow,⛺ tent,🌃 night_with_stars,🌅 sunrise,🗺️ world_map',
  // things
  '⌚ watch,📱 iphone,💻 computer,⌨️ keyboard,🖥️ desktop_computer,🖨️ printer,🖱️ computer_mouse,💾 floppy_disk,' +
  '💿 cd,📷 camera,📺 tv,🔋 battery,🔌 electric_plug,💡 bulb,🔦 flashlight,🕯️ candle,📖 book open_book,📚 books,' +
  '📝 memo pencil,✏️ pencil2,📄 page_facing_up,📃 page_with_curl,📁 file_folder,📂 open_file_folder,📅 date,' +
  '📈 chart_with_upwards_trend,📉 chart_with_downwards_trend,📊 bar_chart,📋 clipboard,📌 pushpin,' +
  '📍 round_pushpin,📎 paperclip,✂️ scissors,🗑️ wastebasket,🔒 lock,🔓 unlock,🔑 key,🔨 hammer,' +
  '🛠️ hammer_and_wrench,🔧 wrench,🔩 nut_and_bolt,⚙️ gear,🔗 link,🧪 test_tube,🔬 microscope,🔭 telescope,💊 pill,' +
  '🚪 door,🚿 shower,🛒 shopping_cart,📦 package,📫 mailbox,📧 email e-mail,✉️ envelope,📞 telephone_receiver,' +
  '⏰ alarm_clock,⏳ hourglass_flowing_sand,💰 moneybag,💳 credit_card,💎 gem,🏷️ label,🔔 bell,🔕 no_bell,📣 mega,' +
  '📢 loudspeaker,🔍 mag,🔎 mag_right,🎓 mortar_board,👑 crown,👓 eyeglasses,👕 shirt tshirt,👟 athletic_shoe',
  // signs
  '✅ white_check_mark,☑️ ballot_box_with_check,✔️ heavy_check_mark,❌ x,❎ negative_squared_cross_mark,' +
  '➕ heavy_plus_sign,➖ heavy_minus_sign,❓ question,❗ exclamation heavy_exclamation_mark,⚠️ warning,' +
  '🚫 no_entry_sign,⛔ no_entry,♻️ recycle,🔄 arrows_counterclockwise,⬆️ arrow_up,⬇️ arrow_down,⬅️ arrow_left,' +
  '➡️ arrow_right,↩️ leftwards_arrow_with_hook,🔙 back,🆕 new,🆗 ok,🆒 cool,🆘 sos,ℹ️ information_source,' +
  '🔴 red_circle,🟢 green_circle,🟡 yellow_circle,🔵 large_blue_circle,⚪ white_circle,⚫ black_circle,' +
  '🟥 red_square,🔺 small_red_triangle,🏁 checkered_flag,🚩 triangular_flag_on_post,🏳️ white_flag,' +
  '🏳️‍🌈 rainbow_flag,🏴‍☠️ pirate_flag',
];

/** @type {readonly {emoji: string, names: readonly string[]}[]} */
export const ALL_EMOJI = TABLE.flatMap((group) => group.split(',')).map((item) => {
  const [emoji, ...names] = item.split(' ');
  return Object.freeze({ emoji, names });
});

const byName = new Map(ALL_EMOJI.flatMap(({ emoji, names }) => names.map((name) => [name, emoji])));

/** @returns {string|null} the emoji of a shortcode without its colons */
export function emojiNamed(name) {
  return byName.get(name) ?? null;
}

/**
 * Emoji that match a query: first shortcodes that start with it, then those with a word that does, then any others.
 * @param {string} query @param {number} [most] @param {typeof ALL_EMOJI} [table]
 * @returns {{emoji: string, name: string}[]}
 */
export function searchEmoji(query, most = Infinity, table = ALL_EMOJI) {
  const wanted = query.toLowerCase().replaceAll(/[\s:]+/g, '_').replace(/^_|_$/g, '');
  /** @type {{emoji: string, name: string}[][]} */
  const ranks = [[], [], []];
  for (const { emoji, names } of table) {
    const rankOf = (name) => (name.startsWith(wanted) ? 0
      : name.includes(`_${wanted}`) ? 1
        : name.includes(wanted) ? 2 : 3);
    const name = names.reduce((best, one) => (rankOf(one) < rankOf(best) ? one : best));
    ranks[rankOf(name)]?.push({ emoji, name });
  }
  ranks[0].sort((one, other) => one.name.length - other.name.length);
  return ranks.flat().slice(0, most);
}
